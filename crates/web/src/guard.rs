//! Access control, and the headers of every response.
//!
//! Without a token, the service is only for this machine: requests must name it as a local browser
//! would, so that no foreign page can reach it under a name of its own. With a token, every change
//! requires it. In either case, requests from foreign pages cannot change anything.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use axum::extract::{ConnectInfo, Request, State};
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use rustc_hash::FxHashMap;

use crate::gzip::{gzipped, is_wanted, tell_caches};
use crate::keys::same;
use crate::limits::Limits;
use crate::listener::Peer;
use crate::metrics::count;
use crate::problem::Problem;
use crate::service::Service;

/// The cookie that stores the token.
const COOKIE: &str = "tafl_token";
/// The maximum number of clients that are tracked.
const CLIENTS: usize = 10_000;

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; \
                      frame-ancestors 'none'";

const HEADERS: [(&str, &str); 6] = [
    ("content-security-policy", POLICY),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
];

/// Decides which requests are admitted.
pub(crate) struct Guard {
    token: Option<String>,
    rate: f64,
    burst: f64,
    clients: Mutex<FxHashMap<IpAddr, (f64, Instant)>>,
}

impl Guard {
    pub(crate) fn new(token: Option<String>, limits: &Limits) -> Guard {
        Guard { token, rate: limits.rate, burst: limits.burst, clients: Mutex::default() }
    }

    pub(crate) fn wants_token(&self) -> bool {
        self.token.is_some()
    }

    /// Admits a request, responds to it, or rejects it.
    fn admit(&self, request: &Request, client: IpAddr) -> Result<Option<Response>, Problem> {
        if !self.has_rate(client) {
            let text = "Too many requests. Wait a moment.";
            return Err(Problem::busy("too-many-requests", text));
        }
        let headers = request.headers();
        if self.token.is_none() && !host(headers).is_none_or(is_this_machine) {
            let text = "This service is only for its own machine; address it as localhost.";
            return Err(Problem::forbidden("strange-host", text));
        }
        if let Some(given) = token_in(request.uri()) {
            return self.exchange(request.uri(), &given).map(Some);
        }
        let upgrade = headers.contains_key(header::UPGRADE);
        let safe = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
        if (upgrade || !safe) && !is_own_page(headers) {
            return Err(Problem::forbidden("strange-origin", "Other pages are not allowed to do this."));
        }
        if !safe && !self.is_authorised(headers) {
            let text =
                "This requires the token that the service was started with: `Authorization: Bearer TOKEN`.";
            return Err(Problem::new(StatusCode::UNAUTHORIZED, "token-required", text));
        }
        Ok(None)
    }

    /// Turns a token in the URL into a cookie.
    fn exchange(&self, uri: &Uri, given: &str) -> Result<Response, Problem> {
        if !self.token.as_ref().is_some_and(|token| same(token, given)) {
            return Err(Problem::new(StatusCode::UNAUTHORIZED, "wrong-token", "The token is wrong."));
        }
        let rest = uri.query().unwrap_or("").split('&').filter(|part| !part.starts_with("token="));
        let rest: Vec<&str> = rest.collect();
        let place = if rest.is_empty() {
            uri.path().to_string()
        } else {
            format!("{}?{}", uri.path(), rest.join("&"))
        };
        // A path that starts with two slashes would be another host.
        let place = format!("/{}", place.trim_start_matches(['/', '\\']));
        let cookie = format!("{COOKIE}={given}; HttpOnly; SameSite=Strict; Path=/; Max-Age=2592000");
        Ok((StatusCode::SEE_OTHER, [(header::LOCATION, place), (header::SET_COOKIE, cookie)]).into_response())
    }

    fn is_authorised(&self, headers: &HeaderMap) -> bool {
        let Some(token) = &self.token else { return true };
        let bearer = text(headers, header::AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
        let cookies = text(headers, header::COOKIE).unwrap_or("").split(';');
        let cookie = cookies.filter_map(|part| part.trim().split_once('=')).find(|(name, _)| *name == COOKIE);
        bearer.or(cookie.map(|(_, value)| value)).is_some_and(|given| same(token, given))
    }

    /// Returns `true` if the client may send a request: limited at once (`burst`) and per second (`rate`).
    fn has_rate(&self, client: IpAddr) -> bool {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        if clients.len() >= CLIENTS && !clients.contains_key(&client) {
            let (rate, burst) = (self.rate, self.burst);
            clients.retain(|_, (left, since)| *left + since.elapsed().as_secs_f64() * rate < burst);
            if clients.len() >= CLIENTS {
                return false;
            }
        }
        let (left, since) = clients.entry(client).or_insert((self.burst, now));
        *left = (*left + now.duration_since(*since).as_secs_f64() * self.rate).min(self.burst);
        *since = now;
        let has = *left >= 1.0;
        if has {
            *left -= 1.0;
        }
        has
    }
}

/// Wraps every request: access control, headers, log and metrics.
pub(crate) async fn around(
    State(service): State<Arc<Service>>,
    ConnectInfo(Peer(peer)): ConnectInfo<Peer>,
    request: Request,
    next: Next,
) -> Response {
    let begun = Instant::now();
    let small = is_wanted(request.headers()) && *request.method() != Method::HEAD;
    let (method, path) = (request.method().clone(), request.uri().path().to_string());
    let mut response = match service.guard.admit(&request, peer.ip()) {
        Ok(None) => next.run(request).await,
        Ok(Some(response)) => response,
        Err(problem) => {
            if problem.code == "too-many-requests" {
                count(&service.metrics.refused);
            }
            problem.into_response()
        }
    };
    if path.starts_with("/api/") {
        response = in_json(response);
        response.headers_mut().entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    }
    for (name, value) in HEADERS {
        // Foreign pictures have a policy of their own.
        let name = HeaderName::from_static(name);
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    tell_caches(response.status(), response.headers_mut());
    if small && response.status() == StatusCode::OK {
        response = gzipped(response).await;
    }
    let (status, took) = (response.status().as_u16(), begun.elapsed());
    service.metrics.answered(status, took);
    // Keys and tokens are in the query and must not be logged.
    tracing::debug!(%method, path, status, micros = took.as_micros() as u64, client = %peer.ip(), "request");
    response
}

/// Converts errors of the framework to the common form.
fn in_json(response: Response) -> Response {
    let status = response.status();
    let is_json = text(response.headers(), header::CONTENT_TYPE)
        .is_some_and(|kind| kind.starts_with("application/json"));
    if is_json || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let (code, message) = match status {
        StatusCode::NOT_FOUND => ("not-found", "There is nothing here."),
        StatusCode::METHOD_NOT_ALLOWED => ("wrong-method", "This method is not allowed here."),
        StatusCode::PAYLOAD_TOO_LARGE => ("too-large", "The request is too large."),
        StatusCode::UNSUPPORTED_MEDIA_TYPE => {
            ("not-json", "Send JSON with `Content-Type: application/json`.")
        }
        StatusCode::UPGRADE_REQUIRED => ("no-socket", "This address requires a WebSocket."),
        _ => ("bad-request", "The request is invalid."),
    };
    let mut plain = Problem::new(status, code, message).into_response();
    if let Some(allow) = response.headers().get(header::ALLOW) {
        plain.headers_mut().insert(header::ALLOW, allow.clone());
    }
    plain
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

fn host(headers: &HeaderMap) -> Option<&str> {
    text(headers, header::HOST)
}

fn is_this_machine(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or(""),
        None => host.split(':').next().unwrap_or(""),
    };
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// Returns `true` if a request comes from a page of this service, or from no page at all.
fn is_own_page(headers: &HeaderMap) -> bool {
    match headers.get(header::ORIGIN) {
        None => true,
        Some(origin) => {
            let origin = origin.to_str().ok().and_then(|origin| origin.split_once("://"));
            origin.is_some_and(|(_, place)| host(headers) == Some(place))
        }
    }
}

fn token_in(uri: &Uri) -> Option<String> {
    let mut parts = uri.query()?.split('&');
    let given = parts.find_map(|part| part.strip_prefix("token="))?;
    Some(given.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_count_as_it() {
        for host in ["localhost", "localhost:9180", "LOCALHOST", "127.0.0.1:80", "127.1.2.3", "[::1]:9180"] {
            assert!(is_this_machine(host), "{host}");
        }
        for host in ["example.org", "localhost.example.org", "10.0.0.1:9180", "[::2]", "", "[::1"] {
            assert_eq!(is_this_machine(host), host == "[::1", "{host}");
        }
    }

    #[test]
    fn clients_have_so_many_requests_at_once() {
        let limits = Limits { rate: 0.0, burst: 3.0, ..Limits::default() };
        let guard = Guard::new(None, &limits);
        let client = IpAddr::from([127, 0, 0, 1]);
        assert_eq!((0..5).filter(|_| guard.has_rate(client)).count(), 3);
        assert!(guard.has_rate(IpAddr::from([127, 0, 0, 2])));
    }
}
