//! Watching: Server-Sent Events.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use futures_util::stream::{Stream, unfold};

use super::ask::Asked;
use super::matches::View;
use crate::metrics::{Metrics, count};
use crate::problem::Problem;
use crate::service::Service;
use crate::table::{Follower, News};

/// A connected client, counted in the metrics while it exists.
pub(super) struct Present {
    pub(super) service: Arc<Service>,
    which: fn(&Metrics) -> &AtomicU64,
}

impl Present {
    pub(super) fn new(service: &Arc<Service>, which: fn(&Metrics) -> &AtomicU64) -> Present {
        count(which(&service.metrics));
        Present { service: Arc::clone(service), which }
    }
}

impl Drop for Present {
    fn drop(&mut self) {
        (self.which)(&self.service.metrics).fetch_sub(1, Ordering::Relaxed);
    }
}

pub(crate) async fn events(
    State(service): State<Arc<Service>>,
    Path(id): Path<String>,
    Asked(asked): Asked<View>,
    headers: HeaderMap,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Problem> {
    let hall = Arc::clone(&service);
    let (table, sight) = service
        .work(move || {
            let table = hall.hall.find(&id)?;
            let sight = table.sight(asked.view.as_deref(), asked.key.as_deref())?;
            Ok((table, sight))
        })
        .await?;
    let last =
        headers.get("last-event-id").and_then(|value| value.to_str().ok()).and_then(|text| text.parse().ok());
    let follower = Follower::new(&table, sight, last, service.closing.subscribe());
    let present = Present::new(&service, |metrics| &metrics.streams);
    let stream = unfold((follower, present), |(mut follower, present)| async move {
        let news = follower.next().await?;
        count(&present.service.metrics.events);
        let event = match news {
            News::Step(number, text) => Event::default().event("step").id(number.to_string()).data(&*text),
            News::Clock(clock) => Event::default().event("clock").data(clock.to_string()),
            News::End(end) => Event::default().event("end").data(end.to_string()),
        };
        Some((Ok(event), (follower, present)))
    });
    Ok(Sse::new(stream).keep_alive(KeepAlive::new().interval(Duration::from_secs(15))))
}
