/**
 * What keeps the page up to date, where scripts run: every 1.5 s it asks for the page's content and exchanges what differs, by
 * the ids of its parts, so that what somebody has opened stays open and the focus stays where it is. It runs in a browser.
 */
export const live = `
(() => {
  const everyMs = 1500;
  let tag = '';
  const parts = (root) => new Map([...root.children].map((child, index) => [child.id || String(index), child]));
  const keepOpen = (from, to) => {
    if (from.tagName === 'DETAILS' && to.tagName === 'DETAILS') to.open = from.open;
    const inner = [...from.querySelectorAll('details')];
    [...to.querySelectorAll('details')].forEach((each, index) => { if (inner[index]) each.open = inner[index].open; });
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
      const was = before.cloneNode(true);
      keepOpen(before, next);
      if (was.outerHTML === next.outerHTML) continue;
      if (before.dataset.list !== undefined) { exchange(before, next); continue; }
      if (before.contains(document.activeElement)) {
        const focus = [...before.querySelectorAll('*')].indexOf(document.activeElement);
        before.replaceWith(next);
        [...next.querySelectorAll('*')][focus]?.focus();
      } else before.replaceWith(next);
    }
  };
  const ask = async () => {
    try {
      const answer = await fetch('status/content', { headers: tag ? { 'if-none-match': tag } : {} });
      if (answer.status === 200) {
        tag = answer.headers.get('etag') ?? '';
        const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
        exchange(document.querySelector('main'), fresh.body);
        document.title = fresh.body.querySelector('[data-title]')?.dataset.title ?? document.title;
      }
      document.body.dataset.lost = answer.ok || answer.status === 304 ? '' : 'yes';
    } catch { document.body.dataset.lost = 'yes'; }
    setTimeout(ask, everyMs);
  };
  setTimeout(ask, everyMs);
})();
`;
