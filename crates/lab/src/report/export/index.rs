//! The way to many reports: one page with a line for each.

use std::fmt::Write as _;

use crate::report::draw::escaped;
use crate::report::{Agreement, Report};

/// A page that links to reports, each with its address relative to the page.
#[must_use]
pub fn index_page<'a>(title: &str, reports: impl IntoIterator<Item = (&'a Report, String)>) -> String {
    let title = escaped(title);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>\n{}</style>\n</head>\n<body>\n<h1>{title}</h1>\n<div class=\"wide\"><table>\n<thead><tr>\
         <th scope=\"col\">experiment</th><th scope=\"col\">games</th><th scope=\"col\">agrees</th>\
         <th scope=\"col\">higher</th><th scope=\"col\">lower</th><th scope=\"col\">costs and open</th></tr></thead>\n<tbody>\n",
        super::html::STYLE
    );
    for (report, address) in reports {
        let preliminary = if report.complete { "" } else { " (preliminary)" };
        let Agreement { agrees, higher, lower, other } = report.agreement;
        let _ =
            write!(page, "<tr><td><a href=\"{}\">{}</a>{preliminary}</td>", escaped(&address), escaped(&report.title));
        for count in [report.origin.games, agrees, higher, lower, other] {
            let _ = write!(page, "<td class=\"number\">{count}</td>");
        }
        page += "</tr>\n";
    }
    page + "</tbody>\n</table></div>\n<p class=\"note\">Published figures beside measured ones: <em>agrees</em> means that the \
            difference can be chance, given both numbers of games.</p>\n</body>\n</html>\n"
}
