import { type Dialect, githubMarkdown } from './markdown.ts';

/**
 * Markdown for products that show it and hand it on to chat as it is: what Slack and Teams take for a mention or a link
 * is taken apart as well, in code too. `max`: bytes.
 */
export function mirroredMarkdown(max: number): Dialect {
  return {
    ...githubMarkdown,
    max,
    unit: 'bytes',
    fence: 'three',
    silence: /<(?=[!@#])/g,
    silenceInCode: /<(?=[!@#])|@(?=here|channel|everyone)|\](?=\()/gi,
  };
}
