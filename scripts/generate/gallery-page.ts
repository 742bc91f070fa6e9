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

/** One incident as it looks in each product: `docs/gallery.md`. The pictures first; texts are folded. */
export function galleryPage(): string {
  const [drawn, written] = [true, false].map((is) => providers.filter((each) => isDrawn(each) === is));
  const families = Object.entries(headings).flatMap(([family, heading]) => {
    const types = written?.filter((each) => each.family === family) ?? [];
    return types.length === 0 ? [] : [`## ${heading}`, ...types.flatMap((each) => [headingOf(each), ...textsOf(each)])];
  });
  return `<!-- ${mark} -->

# One incident in every product

A release of Deployment shop/payments crashes, takes the last Pods of the release before it along, and is undone. This is what people
read of it: the opening, the update as it gets worse, and the end.

The pictures are made from the requests that the tests record, by \`make gallery\`: mail by a browser, cards for Teams by Microsoft's own
renderer, and the others by a small page that draws what our messages use of a product's markup; the product itself may set it in other
type. The texts are the recorded messages without markup; unfold what you want to read. What is cut here, a field for a program or a
header, is on the page of each type, to which its name leads.

## Pictures

${[...(drawn ?? []).flatMap((each) => [headingOf(each), pictureOf(each)]), ...families].join('\n\n')}
`;
}

type Definition = (typeof providers)[number];

const isDrawn = ({ type }: Definition): boolean => pictures.some((picture) => picture.type === type);
const headingOf = ({ type, product }: Definition): string => `### [${product}](reference/providers/${type}.md)`;
const pictureOf = ({ type, product }: Definition): string => `![One incident in ${product}](gallery/${type}.png)`;

function textsOf(definition: Definition): readonly string[] {
  const recorded = recordedOf(definition);
  return shownActs.flatMap(({ act, title }) => {
    const shown = recorded?.shownOf(act);
    if (shown === undefined) return [];
    const block = `\`\`\`\`${shown.language}\n${shown.text}\n\`\`\`\``;
    return [`<details><summary>${title}</summary>`, block, '</details>'];
  });
}
