"""Opens a report in Chromium and prints as JSON what a reader would see.

observe_report.py CHROMIUM PAGE FOLDER_FOR_THE_PROFILE
"""
import json
import sys

from chromium import Chromium

CHARTS = """[...document.querySelectorAll('figure')].map(figure => {
  const svg = figure.querySelector('.chart svg');
  const box = svg ? svg.getBoundingClientRect() : {width: 0, height: 0};
  return {id: figure.id, width: box.width, height: box.height,
          room: figure.querySelector('.chart').clientWidth,
          marks: svg ? svg.querySelectorAll('.mark-line path, .mark-rect path, .mark-symbol path').length : 0};
})"""

# Every number that is shown, with the exact one beside it.
NUMBERS = """[...document.querySelectorAll('data')].map(data => [data.value, data.textContent])"""

# The texts of each row of the tables.
ROWS = """[...document.querySelectorAll('table.verdicts tbody tr')].map(row =>
  [...row.children].map(cell => cell.textContent))"""

SPECS = """[...document.querySelectorAll('figure')].map(figure =>
  [figure.id, JSON.parse(figure.querySelector('script.spec').textContent).datasets])"""

FOCUS = """(() => { const element = document.activeElement; const style = getComputedStyle(element);
  return {name: element.tagName, text: element.textContent.slice(0, 40), outline: style.outlineStyle}; })()"""


def trouble(browser):
    """Messages of the console, errors, and what was asked of the network."""
    said, asked = [], []
    for event in browser.events:
        method, values = event.get("method"), event.get("params", {})
        if method == "Runtime.consoleAPICalled":
            said.append([argument.get("value") for argument in values["args"]])
        elif method == "Runtime.exceptionThrown":
            said.append(values["exceptionDetails"].get("exception", {}).get("description", "exception"))
        elif method == "Log.entryAdded":
            said.append(values["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            asked.append(values["request"]["url"])
    return {"said": said, "asked": [url for url in asked if not url.startswith(("file:", "data:", "blob:"))]}


def at_width(browser, page, width, dark):
    browser.view(width, 900, dark)
    browser.open(page)
    seen = {"charts": browser.run(CHARTS)}
    seen["page_width"] = browser.run("document.documentElement.scrollWidth")
    seen["background"] = browser.run("getComputedStyle(document.body).backgroundColor")
    seen["label"] = browser.run("getComputedStyle(document.querySelector('.role-axis-label text')).fill")
    seen.update(trouble(browser))
    return seen


def with_keyboard(browser):
    """The stations of the Tab key, then what Enter on the second entry of a legend hides."""
    stations = []
    for _ in range(60):
        browser.press("Tab")
        stations.append(browser.run(FOCUS))
    browser.run("document.querySelectorAll('.legend button')[1].focus()")
    lines = "document.querySelectorAll('figure')[0].querySelectorAll('.mark-line path').length"
    before = browser.run(lines)
    browser.press("Enter")
    browser.run("new Promise(done => setTimeout(done, 200))")
    pressed = browser.run("document.activeElement.getAttribute('aria-pressed')")
    return {"stations": stations, "lines_before": before, "lines_after": browser.run(lines), "pressed": pressed}


def with_pointer(browser):
    """The text that appears over the middle of the first chart."""
    browser.run("document.querySelector('.chart').scrollIntoView({block: 'center', behavior: 'instant'})")
    box = browser.run("(({x, y, width, height}) => [x, y, width, height])"
                      "(document.querySelector('.chart svg').getBoundingClientRect())")
    for step in (0, 3):
        browser.point_at(box[0] + box[2] / 2 + step, box[1] + box[3] / 2)
    browser.run("new Promise(done => setTimeout(done, 300))")
    return browser.run("document.querySelector('#vg-tooltip-element.visible')?.innerText ?? ''")


def main():
    program, page, profile = sys.argv[1:]
    browser = Chromium(program, profile)
    try:
        seen = {"light": at_width(browser, page, 1280, False), "dark": at_width(browser, page, 1280, True),
                "phone": at_width(browser, page, 390, False)}
        browser.view(1280, 900)
        browser.open(page)
        seen["numbers"] = browser.run(NUMBERS)
        seen["rows"] = browser.run(ROWS)
        seen["document"] = browser.run("JSON.parse(document.querySelector('#results').textContent)")
        seen["specs"] = browser.run(SPECS)
        seen["pointer"] = with_pointer(browser)
        seen["keyboard"] = with_keyboard(browser)
        seen["after"] = trouble(browser)
    finally:
        browser.close()
    json.dump(seen, sys.stdout)


main()
