#include "book/html.hpp"

#include <fmt/format.h>

#include <cmath>

namespace rootdk::book {

std::string escape(std::string_view text) {
  std::string result;
  for (char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string step_link(const Step& step) {
  return fmt::format(R"(<a class="rdk-slug" href="{0}.html"><code>{0}</code></a>)", step.slug);
}

std::string hypothesis_link(std::string_view slug) {
  return fmt::format(R"(<a class="rdk-slug" href="hypotheses.html#hyp_{0}"><code>{0}</code></a>)", slug);
}

std::string_view css_class(Status status) {
  switch (status) {
    case Status::verified:
      return "rdk-verified";
    case Status::partial:
      return "rdk-partial";
    case Status::failed:
      return "rdk-failed";
    case Status::not_run:
      break;
  }
  return "rdk-notrun";
}

std::string_view shape(Status status) {
  switch (status) {
    case Status::verified:
      return "■";
    case Status::partial:
      return "◧";
    case Status::failed:
      return "▲";
    case Status::not_run:
      break;
  }
  return "□";
}

std::string badge(Status status) {
  return fmt::format(R"(<span class="rdk-status {}">{} {}</span>)", css_class(status), shape(status), name(status));
}

std::string fold(std::string_view summary, std::string_view html) {
  return fmt::format("<details class=\"rdk-fold\"><summary>{}</summary>{}</details>\n", summary, html);
}

std::string number(double value) {
  if (value == 0) return "0";
  if (!std::isfinite(value)) return "not finite";
  return fmt::format("{:.3g}", value);
}

}  // namespace rootdk::book
