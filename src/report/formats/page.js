"use strict";
// Draws the charts of the page when they come into view, in place of the pictures that are there without JavaScript.
(() => {
  const number = new Intl.NumberFormat("en", { maximumSignificantDigits: 6 });

  const pointsOf = (layer) =>
    layer.data.values.split("\n").slice(1).map((line) => line.split(",").map(Number));

  // The page's policy forbids what Vega's reader of CSV does (it makes a function of the header), so we read it ourselves.
  const readSeries = (specification) => {
    const series = [];
    for (const layer of specification.layer) {
      if (typeof layer.data.values !== "string") continue;
      const points = pointsOf(layer);
      series.push({ label: layer.description, points });
      layer.data = { values: points.map(([x, y]) => ({ x, y })) };
    }
    return series.filter((line) => line.points.length > 0);
  };

  const nearest = (points, x) => {
    let low = 0;
    let high = points.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (points[middle][0] < x) low = middle;
      else high = middle;
    }
    return Math.abs(points[low][0] - x) < Math.abs(points[high][0] - x) ? points[low] : points[high];
  };

  const addTip = (drawing, view, series) => {
    if (series.length === 0) return;
    const tip = document.createElement("div");
    tip.className = "tip";
    tip.hidden = true;
    drawing.append(tip);
    view.addEventListener("pointermove", (event) => {
      const box = drawing.getBoundingClientRect();
      const left = event.clientX - box.left;
      const x = view.scale("x").invert(left - view.origin()[0]);
      const lines = series.map((line) => `${line.label}: ${number.format(nearest(line.points, x)[1])}`);
      tip.textContent = "";
      for (const line of [`at ${number.format(nearest(series[0].points, x)[0])}`, ...lines]) {
        const row = document.createElement("div");
        row.textContent = line;
        tip.append(row);
      }
      tip.hidden = false;
      tip.style.top = "8px";
      tip.style.left = `${Math.max(0, Math.min(left + 14, box.width - tip.offsetWidth))}px`;
    });
    drawing.addEventListener("pointerleave", () => { tip.hidden = true; });
  };

  const draw = async (drawing) => {
    const specification = JSON.parse(document.getElementById(drawing.dataset.specification).textContent);
    const live = document.createElement("div");
    live.className = "live";
    drawing.append(live);
    const series = readSeries(specification);
    specification.width = "container";
    if (drawing.clientWidth < 480) specification.config.legend.columns = 1;
    const line = specification.layer.find((layer) => layer.name && layer.name.startsWith("line"));
    if (line) {
      const select = { type: "interval", encodings: ["x"], zoom: "wheel![event.shiftKey]",
        translate: "[mousedown, window:mouseup] > window:mousemove!" };
      line.params = [{ name: "zoom", select, bind: "scales" }];
    }
    try {
      const result = await window.vegaEmbed(live, specification,
        { actions: false, ast: true, mode: "vega-lite", renderer: "svg", tooltip: false });
      drawing.classList.add("drawn");
      addTip(drawing, result.view, series);
    } catch (error) {
      live.remove();
      console.error(error);
    }
  };

  // What is on screen is drawn at once, without waiting for a frame: a tab in the background gets none.
  const ahead = 400;
  const watcher = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      watcher.unobserve(entry.target);
      draw(entry.target);
    }
  }, { rootMargin: `${ahead}px` });
  for (const drawing of document.querySelectorAll(".drawing")) {
    if (drawing.getBoundingClientRect().top < window.innerHeight + ahead) draw(drawing);
    else watcher.observe(drawing);
  }
})();
