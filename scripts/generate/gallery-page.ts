import type { Family } from '../../src/model/traits.ts';
import { providers } from '../../src/providers/registry.ts';
import { pictures, shownActs } from '../gallery/page.ts';
import { mark } from './mark.ts';
import { recordedOf } from './recorded.ts';

const headings: Readonly<Record<Family, string>> = {
  chat: 'Chats and phones',
  mail: 'Mail',
  tracker: 'Trackers',
  pager: 'Pagers',
  log: 'Logs and events',
};

/** One incident as it looks in each product: `docs/gallery.md`. */
export function galleryPage(): string {
  const parts = Object.entries(headings).map(([family, heading]) => {
    const types = providers.filter((each) => each.family === family);
    return [`## ${heading}`, ...types.flatMap((each) => [`### ${each.product}`, ...shownOf(each)])].join('\n\n');
  });
  return `<!-- ${mark} -->

# One incident in every product

A release of Deployment shop/payments crashes, takes the last Pods of the release before it along, and is undone. This is what people
read of it: the opening, the update as it gets worse, and the end.

The pictures are made from the requests that the tests record, by \`make gallery\`: mail by a browser, cards for Teams by Microsoft's own
renderer, and the others by a small page that draws what our messages use of a product's markup; the product itself may set it in other
type. The texts are the recorded messages without markup. What is cut here, a field for a program or a header, is on the
[page of each type](reference/README.md).

${parts.join('\n\n')}
`;
}

function shownOf(definition: (typeof providers)[number]): readonly string[] {
  const { type, product } = definition;
  const page = `[How it is set up](reference/providers/${type}.md).`;
  if (pictures.some((picture) => picture.type === type))
    return [page, `![One incident in ${product}](gallery/${type}.png)`];
  const recorded = recordedOf(definition);
  const texts = shownActs.flatMap(({ act, title }) => {
    const shown = recorded?.shownOf(act);
    return shown === undefined ? [] : [`${title}:`, `\`\`\`\`${shown.language}\n${shown.text}\n\`\`\`\``];
  });
  return [page, ...texts];
}
