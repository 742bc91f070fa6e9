/**
 * What a page does where scripts run. It shows times in the reader's zone, filters rows, goes through them by keys, copies commands; and the page of
 * now asks every 1.5 s for its content and exchanges what differs, by the ids of its parts, so that what somebody has opened stays open and the
 * focus stays where it is. Where nothing answers it says so. It runs in a browser.
 */
export const live = `
(() => {
  const everyMs = 1500;
  const lostAfterMs = 4000;
  let tag = '';
  let heardAt = Date.now();
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  document.documentElement.classList.add('scripted');

  const local = (root) => all('time[datetime]', root).forEach((each) => {
    const at = new Date(each.dateTime);
    const sameDay = at.toDateString() === new Date().toDateString();
    const day = sameDay ? {} : { day: 'numeric', month: 'short' };
    const seconds = each.dataset.seconds === undefined ? {} : { second: '2-digit' };
    each.title = each.textContent;
    each.textContent = at.toLocaleString('en-GB', { ...day, hour: '2-digit', minute: '2-digit', ...seconds });
  });

  const colours = { critical: '#b3001b', high: '#d9600a', medium: '#b58900', low: '#667085', good: '#1a7f37', lost: '#808080' };
  let drawn = '';
  const face = (level, title) => {
    if (title && document.title !== title) document.title = title;
    const canvas = Object.assign(document.createElement('canvas'), { width: 32, height: 32 });
    const pen = canvas.getContext('2d');
    if (drawn === level || !pen) return;
    drawn = level;
    pen.fillStyle = colours[level] ?? colours.good;
    pen.arc(16, 16, 15, 0, 7);
    pen.fill();
    document.querySelector('link[rel=icon]').href = canvas.toDataURL();
  };
  const shown = (root) => root.querySelector('[data-title]');

  const filter = document.querySelector('#filter');
  const sift = () => {
    if (!filter) return;
    const words = filter.value.toLowerCase().split(/\\s+/).filter(Boolean);
    let left = 0;
    for (const card of all('main .card')) {
      card.hidden = !words.every((word) => card.dataset.find.includes(word));
      if (!card.hidden) left += 1;
    }
    const said = document.querySelector('#filtered');
    const text = words.length === 0 ? '' : left + ' shown';
    if (said.textContent !== text) said.textContent = text;
  };

  const parts = (root) => new Map([...root.children].map((child, index) => [child.id || String(index), child]));
  const keepOpen = (from, to) => {
    if (from.tagName === 'DETAILS' && to.tagName === 'DETAILS') to.open = from.open;
    if (from.classList.contains('card')) to.hidden = from.hidden;
    const inner = all('details', from);
    all('details', to).forEach((each, index) => { if (inner[index]) each.open = inner[index].open; });
  };
  const exchange = (old, fresh) => {
    const known = parts(old);
    const wanted = parts(fresh);
    // What goes, goes first: what stays then need not be moved, which would take the focus from it.
    for (const [key, gone] of known) if (!wanted.has(key)) gone.remove();
    let at = old.firstElementChild;
    for (const [key, next] of wanted) {
      const before = known.get(key);
      if (!before) { old.insertBefore(next, at); continue; }
      if (before !== at) old.insertBefore(before, at);
      else at = at.nextElementSibling;
      if (before.dataset.keep !== undefined) continue;
      const was = before.cloneNode(true);
      keepOpen(before, next);
      if (was.outerHTML === next.outerHTML) continue;
      if (before.dataset.list !== undefined) { exchange(before, next); continue; }
      if (before.contains(document.activeElement)) {
        const focus = all('*', before).indexOf(document.activeElement);
        before.replaceWith(next);
        all('*', next)[focus]?.focus();
      } else before.replaceWith(next);
    }
  };

  const bar = document.querySelector('#lost');
  const lose = (isLost) => {
    document.body.dataset.lost = isLost ? 'yes' : '';
    bar.hidden = !isLost;
    if (!isLost) return;
    const at = new Date(heardAt).toLocaleTimeString('en-GB');
    const text = 'Connection lost: no answer since ' + at + '. This is how it was then.';
    if (bar.textContent !== text) bar.textContent = text;
    face('lost');
  };
  const ask = async () => {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), lostAfterMs);
    try {
      const answer = await fetch(document.body.dataset.content, { signal: stop.signal, headers: tag ? { 'if-none-match': tag } : {} });
      if (!answer.ok && answer.status !== 304) throw new Error('refused');
      heardAt = Date.now();
      lose(false);
      if (answer.status === 200) {
        tag = answer.headers.get('etag') ?? '';
        const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
        local(fresh.body);
        exchange(document.querySelector('main'), fresh.body);
        sift();
      }
      const now = shown(document);
      face(now?.dataset.level, now?.dataset.title);
    } catch { lose(true); }
    clearTimeout(timer);
    setTimeout(ask, everyMs);
  };

  const copy = async (button) => {
    const code = button.parentElement.querySelector('code');
    try { await navigator.clipboard.writeText(code.textContent); button.textContent = 'Copied'; }
    catch { getSelection().selectAllChildren(code); button.textContent = 'Selected'; }
    setTimeout(() => { button.textContent = 'Copy'; }, 1500);
  };
  document.addEventListener('click', ({ target }) => { if (target.classList?.contains('copy')) copy(target); });
  const step = (by) => {
    const rows = all('main .card:not([hidden]) > summary');
    const at = rows.findIndex((each) => each.parentElement.contains(document.activeElement));
    rows[Math.min(rows.length - 1, Math.max(0, at < 0 ? 0 : at + by))]?.focus();
  };
  document.addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey) return;
    const box = document.querySelector('#filter, input[type=search]');
    if (target === box) { if (key === 'Escape' && filter) { filter.value = ''; sift(); box.blur(); } return; }
    if (target.matches('input, select')) return;
    if (key === 'j') step(1);
    else if (key === 'k') step(-1);
    else if (key === '/' && box) { event.preventDefault(); box.focus(); }
  });
  filter?.addEventListener('input', sift);

  local(document);
  const zone = document.querySelector('.zone');
  if (zone) zone.textContent = 'Times in columns are yours (' + Intl.DateTimeFormat().resolvedOptions().timeZone + '), those in sentences UTC. Keys: j, k, Enter, /.';
  const first = shown(document);
  if (first) face(first.dataset.level, first.dataset.title);
  if (document.body.dataset.content) setTimeout(ask, everyMs);
})();
`;
