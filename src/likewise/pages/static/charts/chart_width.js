// Calls `resize` with the width of an element whenever it changes, and with `paper` for printing.

export class ChartWidth {
  constructor(element, paper, resize) {
    const onScreen = () => resize(Math.round(element.clientWidth));
    this.onPaper = () => resize(paper);
    this.offPaper = onScreen;
    this.watcher = new ResizeObserver(onScreen);
    this.watcher.observe(element);
    window.addEventListener("beforeprint", this.onPaper);
    window.addEventListener("afterprint", this.offPaper);
  }

  stop() {
    this.watcher.disconnect();
    window.removeEventListener("beforeprint", this.onPaper);
    window.removeEventListener("afterprint", this.offPaper);
  }
}
