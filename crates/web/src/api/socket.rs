//! Playing: the WebSocket of a seat.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, State};
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::{Semaphore, mpsc};

use super::ask::Asked;
use super::live::Present;
use super::matches::View;
use crate::metrics::count;
use crate::problem::Problem;
use crate::service::Service;
use crate::table::{Follower, News, Sight, Table, Wish, hint};

/// The maximum length of a player's message.
const LONGEST: usize = 64 << 10;
/// How often a silent player is pinged.
const PING: Duration = Duration::from_secs(20);

/// A message of a player.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase", deny_unknown_fields)]
enum Said {
    Move {
        step: usize,
        #[serde(rename = "move")]
        text: String,
    },
    Hint {},
    Undo {},
    Resign {},
}

pub(crate) async fn socket(
    State(service): State<Arc<Service>>,
    Path(id): Path<String>,
    Asked(asked): Asked<View>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Problem> {
    let hall = Arc::clone(&service);
    let (table, role) = service
        .work(move || {
            let table = hall.hall.find(&id)?;
            let role = asked.key.as_deref().and_then(|key| table.keyed(key));
            let text = "This key does not belong to a seat of this match.";
            Ok((table, role.ok_or_else(|| Problem::forbidden("not-your-seat", text))?))
        })
        .await?;
    let upgrade = upgrade.max_message_size(LONGEST).max_frame_size(LONGEST);
    Ok(upgrade.on_upgrade(move |socket| attend(socket, service, table, role)))
}

async fn attend(mut socket: WebSocket, service: Arc<Service>, table: Arc<Table>, role: usize) {
    let present = Present::new(&service, |metrics| &metrics.sockets);
    let mut follower = Follower::new(&table, Sight::Role(role), None, service.closing.subscribe());
    let (reply, mut replies) = mpsc::channel::<Value>(8);
    let hints = Arc::new(Semaphore::new(1));
    let mut ping = tokio::time::interval(PING);
    let (mut told_all, mut quiet) = (false, 0);
    loop {
        tokio::select! {
            news = follower.next(), if !told_all => {
                let text = match news {
                    Some(News::Step(_, step)) => format!("{{\"type\":\"step\",\"step\":{step}}}"),
                    Some(News::Clock(clock)) => typed("clock", clock),
                    Some(News::End(end)) => typed("end", end),
                    None => {
                        told_all = true;
                        if *service.closing.borrow() {
                            break;
                        }
                        continue;
                    }
                };
                count(&present.service.metrics.events);
                if socket.send(Message::Text(text.into())).await.is_err() {
                    return;
                }
            }
            Some(value) = replies.recv() => {
                if socket.send(Message::Text(value.to_string().into())).await.is_err() {
                    return;
                }
            }
            message = socket.recv() => {
                quiet = 0;
                match message {
                    Some(Ok(Message::Text(text))) => {
                        if let Err(problem) = heard(&service, &table, role, &text, (&reply, &hints)) {
                            // If the player does not read its messages, the error is dropped.
                            let _ = reply.try_send(error(&problem));
                        }
                    }
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                    Some(Ok(_)) => {}
                }
            }
            _ = ping.tick() => {
                quiet += 1;
                if quiet > 3 || socket.send(Message::Ping(Vec::new().into())).await.is_err() {
                    return;
                }
            }
        }
    }
    // If the client is already gone, this fails, which is fine.
    let _ = socket.send(Message::Close(None)).await;
}

fn typed(kind: &str, mut value: Value) -> String {
    value["type"] = json!(kind);
    value.to_string()
}

/// Handles a message of a player. What is wrong with it is told only to that player.
fn heard(
    service: &Arc<Service>,
    table: &Arc<Table>,
    role: usize,
    text: &str,
    (reply, hints): (&mpsc::Sender<Value>, &Arc<Semaphore>),
) -> Result<(), Problem> {
    match serde_json::from_str(text) {
        Err(_) => Err(Problem::bad("bad-message", "This is not a valid message of a player.")),
        Ok(Said::Move { step, text }) => {
            count(&service.metrics.moves);
            table.answer(role, step, &text)
        }
        Ok(Said::Undo {}) => table.undo(role),
        Ok(Said::Resign {}) => table.wish(Wish::Resign(role)),
        Ok(Said::Hint {}) => {
            let busy = |_| Problem::busy("busy", "A hint is already on its way.");
            let only = Arc::clone(hints).try_acquire_owned().map_err(busy)?;
            let (service, table, reply) = (Arc::clone(service), Arc::clone(table), reply.clone());
            tokio::spawn(async move {
                let time = service.limits.hint;
                let found = service.work(move || hint(&table, role, time)).await;
                let told = match found {
                    Ok(moves) => json!({ "type": "hint", "moves": moves }),
                    Err(problem) => error(&problem),
                };
                // If the player is gone, nobody waits for it.
                let _ = reply.send(told).await;
                drop(only);
            });
            Ok(())
        }
    }
}

fn error(problem: &Problem) -> Value {
    json!({ "type": "error", "code": problem.code, "message": problem.message })
}
