/**
 * Plain text for products that hand it on to chat: a zero-width space follows whatever Slack, Teams or Discord would take for a
 * mention or a link with another name. The text still reads and copies as it is, but for these.
 */
export function quietText(text: string): string {
  return text.replace(/<(?=[!@#&/]|[a-z])|@(?=here|channel|everyone|all|group)|\](?=\()/gi, '$&\u200b');
}
