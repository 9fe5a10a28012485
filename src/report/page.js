// Draws the charts of the page. Colours are those of the style sheet, so that they follow it.
(() => {
  'use strict';

  const kPalette = ['--c0', '--c1', '--c2', '--c3', '--c4', '--c5', '--c6', '--c7'];
  const kFont = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif';

  // How all charts look. colour: from the name of a colour of the style sheet to a colour.
  function look(colour, legend) {
    const ink = colour('--ink');
    const muted = colour('--muted');
    const grid = colour('--grid');
    const text = {labelFont: kFont, titleFont: kFont, labelFontSize: 12, titleFontSize: 12};
    return {
      aria: false,
      background: null,
      font: kFont,
      padding: 4,
      view: {stroke: null},
      range: {category: kPalette.map(colour)},
      axis: {...text, labelColor: muted, titleColor: muted, titleFontWeight: 'normal', domain: false, ticks: false,
        gridColor: grid, labelPadding: 6, titlePadding: 8, tickCount: 6, labelLimit: 150},
      axisX: {grid: false, domain: true, domainColor: grid, ticks: true, tickColor: grid, labelFlush: false, labelOverlap: 'greedy', labelSeparation: 8},
      axisYQuantitative: {titleAngle: 0, titleAlign: 'left', titleBaseline: 'bottom', titleX: 0, titleY: -8},
      legend: legend ? {...text, labelColor: ink, orient: 'top', columns: 3, labelLimit: 300, offset: 26,
        symbolOpacity: 1, symbolStrokeWidth: 0, symbolSize: 120} :
        {disable: true},
      title: {font: kFont, color: ink, fontSize: 15, anchor: 'start', offset: 12, subtitleFont: kFont,
        subtitleColor: muted, subtitleFontSize: 12, subtitlePadding: 6},
      line: {strokeWidth: 2.25},
      style: {
        band: {opacity: 0.2, line: false},
        published: {filled: false, size: 55, strokeWidth: 1.75, shape: 'circle', fill: colour('--surface'), fillOpacity: 0.75, opacity: 1},
        pointer: {color: muted, strokeWidth: 1},
      },
    };
  }

  const specOf = figure => JSON.parse(figure.querySelector('script.spec').textContent);
  const figures = () => [...document.querySelectorAll('figure')];
  const quiet = {mode: 'vega-lite', ast: true, actions: false};

  // Entries of the legend show and hide what they stand for.
  function connect(figure, view) {
    const legend = figure.querySelector('.legend');
    if (!legend) return;
    legend.addEventListener('click', event => {
      const button = event.target.closest('button');
      if (!button) return;
      button.setAttribute('aria-pressed', String(button.getAttribute('aria-pressed') !== 'true'));
      const hidden = [...legend.querySelectorAll('[aria-pressed="false"]')].map(each => each.dataset.key);
      view.signal('hidden', hidden).runAsync();
    });
    legend.hidden = false;
  }

  async function draw(figure) {
    const options = {...quiet, renderer: 'svg', config: look(name => `var(${name})`, false),
      tooltip: {theme: 'custom', disableDefaultStyle: true}};
    const {view} = await vegaEmbed(figure.querySelector('.chart'), specOf(figure), options);
    connect(figure, view);
    const save = figure.querySelector('.save');
    save.addEventListener('click', () => download(figure));
    save.hidden = false;
  }

  // A chart as the address of a PNG: with title and legend, for someone who has not the page.
  async function picture(figure) {
    const style = getComputedStyle(document.documentElement);
    const colour = name => style.getPropertyValue(name).trim();
    const key = figure.querySelector('p.key');
    const title = {text: figure.querySelector('figcaption').textContent, subtitle: key ? key.textContent : ''};
    const spec = {...specOf(figure), width: 720, title};
    const legend = figure.querySelector('.legend') !== null;
    const config = {...look(colour, legend), background: colour('--surface'), padding: 16};
    const place = document.createElement('div');
    const {view} = await vegaEmbed(place, spec, {...quiet, renderer: 'canvas', config});
    const address = await view.toImageURL('png', 2);
    view.finalize();
    return address;
  }

  async function download(figure) {
    const link = document.createElement('a');
    link.href = await picture(figure);
    link.download = figure.id + '.png';
    link.click();
  }

  window.t2vDrawn = (async () => {
    for (const figure of figures()) await draw(figure);
  })();
})();
