// What is wrong with how a page looks, as a list of sentences.
(() => {
  const faults = [];
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth) faults.push(`page is ${root.scrollWidth} wide in ${innerWidth}`);
  for (const img of document.images) if (!img.naturalWidth) faults.push('an image is broken');
  for (const img of document.images) if (!img.alt) faults.push('an image has no alt text');
  const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
  if (new Set(ids).size < ids.length) faults.push('an id is there twice');

  // Labels of a chart must not touch each other or leave it.
  for (const svg of document.querySelectorAll('.chart > svg')) {
    const frame = svg.getBoundingClientRect();
    const texts = [...svg.querySelectorAll('text')].map(t => [t.textContent, t.getBoundingClientRect()]);
    texts.forEach(([a, p], i) => {
      if (p.left < frame.left - 1 || p.right > frame.right + 1 || p.top < frame.top - 1 || p.bottom > frame.bottom + 1)
        faults.push(`"${a}" leaves its chart`);
      for (const [b, q] of texts.slice(i + 1))
        if (p.left < q.right && q.left < p.right && p.top + 2 < q.bottom && q.top + 2 < p.bottom)
          faults.push(`"${a}" touches "${b}"`);
    });
  }

  // Contrast as WCAG has it, over backgrounds that let others through.
  const parse = text => {
    const n = (text.match(/[\d.]+/g) || [0, 0, 0, 0]).map(Number);
    return n.length < 4 ? [...n, 1] : n;
  };
  const over = (top, below) => [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  const light = c => {
    const [r, g, b] = c.map(v => v / 255).map(v => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = e => {
    const below = e.parentElement ? ground(e.parentElement) : [255, 255, 255, 1];
    return over(parse(getComputedStyle(e).backgroundColor), below);
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const e = walker.currentNode.parentElement;
    const text = walker.currentNode.textContent.trim();
    if (!text || !e.checkVisibility() || e.closest('circle, style')) continue;
    const style = getComputedStyle(e);
    const back = ground(e);
    const ink = over(parse(e.closest('svg') ? style.fill : style.color), back);
    const [a, b] = [light(ink), light(back)];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) faults.push(`"${text.slice(0, 30)}" has contrast ${ratio.toFixed(2)}`);
  }
  return faults;
})()
