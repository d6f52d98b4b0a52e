// Browsers start no workers for pages opened as files. Search runs in a hidden frame there instead, which behaves like
// a worker as far as search needs it: messages both ways, and scripts loaded one after the other.
if (location.protocol === "file:") {
  class FrameWorker extends EventTarget {
    constructor(url) {
      super();
      this.onmessage = null;
      this.waiting = [];
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      const inside = frame.contentWindow;
      inside.postMessage = data => {
        const event = new MessageEvent("message", { data });
        this.dispatchEvent(event);
        this.onmessage?.(event);
      };
      inside.importScripts = async (...urls) => {
        for (const each of urls) await this.load(each);
      };
      this.frame = frame;
      this.load(url).then(() => {
        this.ready = true;
        for (const data of this.waiting.splice(0)) this.tell(data);
      });
    }

    load(url) {
      return new Promise((loaded, failed) => {
        const script = this.frame.contentDocument.createElement("script");
        script.src = new URL(url, location.href).href;
        script.onload = loaded;
        script.onerror = failed;
        this.frame.contentDocument.body.append(script);
      });
    }

    tell(data) {
      this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data }));
    }

    postMessage(data) {
      if (this.ready) this.tell(data);
      else this.waiting.push(data);
    }

    terminate() {
      this.frame.remove();
    }
  }
  window.IFrameWorker = FrameWorker; // the name that the theme's search looks for
  window.Worker = FrameWorker;
}
