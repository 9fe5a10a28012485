"""Drives Chromium through its debugging pipe, with nothing but the standard library."""
import json
import os
import select
import signal
import subprocess
import time


class Chromium:
    """A headless Chromium with one page. Every call fails after `limit` seconds instead of waiting for ever."""

    def __init__(self, program, profile, limit=60):
        self.limit = limit
        self.events = []
        self.buffer = b""
        self.number = 0
        to_read, self.to_write = os.pipe()
        self.from_read, from_write = os.pipe()

        def give_pipes():  # it reads from 3 and writes to 4
            os.dup2(to_read, 200)
            os.dup2(from_write, 201)
            os.dup2(200, 3)
            os.dup2(201, 4)

        command = [program, "--headless=new", "--disable-gpu", "--no-first-run", "--hide-scrollbars",
                   "--disable-background-networking", "--remote-debugging-pipe", "--user-data-dir=" + profile]
        if os.geteuid() == 0:
            command.append("--no-sandbox")
        self.process = subprocess.Popen(command + ["about:blank"], preexec_fn=give_pipes, close_fds=False,
                                        start_new_session=True,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(from_write)
        page = next(target for target in self.call("Target.getTargets")["targetInfos"] if target["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.page(domain + ".enable")

    def close(self):
        """Ends it with all its processes, so that none of them writes to the profile any more."""
        try:
            self.call("Browser.close")
            self.process.wait(timeout=10)
        except (OSError, TimeoutError, subprocess.TimeoutExpired):
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def call(self, method, session=None, **arguments):
        self.number += 1
        message = {"id": self.number, "method": method, "params": arguments}
        if session:
            message["sessionId"] = session
        os.write(self.to_write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.next_message()
            if answer.get("id") != self.number:
                self.events.append(answer)
            elif "error" in answer:
                raise RuntimeError(f"{method}: {answer['error']}")
            else:
                return answer["result"]

    def page(self, method, **arguments):
        return self.call(method, self.session, **arguments)

    def next_message(self):
        end = time.monotonic() + self.limit
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.from_read], [], [], max(0, end - time.monotonic()))
            piece = os.read(self.from_read, 1 << 20) if ready else b""
            if not piece:
                raise TimeoutError("Chromium does not answer")
            self.buffer += piece
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def run(self, script):
        """The value of an expression, awaited."""
        result = self.page("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{script}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def view(self, width, height, dark=False, media=""):
        self.page("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=width < 600)
        self.page("Emulation.setEmulatedMedia", media=media,
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def open(self, file):
        self.events.clear()
        self.page("Page.navigate", url="file://" + file)
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self.next_message())
        self.run("t2vDrawn")

    def press(self, key):
        code = {"Tab": 9, "Enter": 13}[key]
        text = "\r" if key == "Enter" else ""
        for kind in ("keyDown", "keyUp"):
            self.page("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code,
                      text=text if kind == "keyDown" else "")

    def point_at(self, x, y):
        self.page("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
