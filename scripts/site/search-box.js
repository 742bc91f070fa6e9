// The search box of every page. The index is fetched by a script element, which works from the disk, too.
import { searchOf } from './search.ts';

const root = document.currentScript?.dataset.root ?? '';
const box = document.querySelector('header search');
const input = box?.querySelector('input');
const list = box?.querySelector('ol');
const status = box?.querySelector('[role=status]');
let search;

/** Loads the index when somebody is about to use it. */
function load() {
  if (search !== undefined) return;
  search = () => [];
  const script = document.createElement('script');
  script.src = `${root}search-index.js`;
  script.onload = () => {
    search = searchOf(globalThis.tocsinIndex);
    show();
  };
  document.head.append(script);
}

function itemOf({ section: { path, id, page, heading }, excerpt }) {
  const link = document.createElement('a');
  link.href = `${root}${path}${id === '' ? '' : `#${id}`}`;
  for (const [tag, text] of [
    ['b', heading],
    ['small', heading === page ? '' : page],
    ['span', excerpt],
  ]) {
    const part = document.createElement(tag);
    part.textContent = text;
    link.append(part);
  }
  const item = document.createElement('li');
  item.append(link);
  return item;
}

function show() {
  const hits = input.value.trim().length < 2 ? [] : search(input.value);
  list.replaceChildren(...hits.map(itemOf));
  list.hidden = hits.length === 0;
  status.textContent =
    input.value.trim().length < 2 ? '' : hits.length === 0 ? 'Nothing found' : `${hits.length} found`;
}

/** Up and down go through the box and what was found. */
function move(event) {
  const links = [input, ...list.querySelectorAll('a')];
  const at = links.indexOf(document.activeElement);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key];
  if (event.key === 'Enter' && at === 0 && links[1]) links[1].click();
  if (event.key === 'Escape') {
    input.value = '';
    show();
    input.focus();
  }
  if (next === undefined || links[next] === undefined) return;
  event.preventDefault();
  links[next].focus();
}

if (input && list && status) {
  box.hidden = false;
  input.addEventListener('focus', load);
  input.addEventListener('input', () => {
    load();
    show();
  });
  box.addEventListener('keydown', move);
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || /^(?:INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName))
      return;
    event.preventDefault();
    input.focus();
  });
}
