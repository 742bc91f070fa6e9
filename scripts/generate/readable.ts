/** A message as people read it, from whatever a product takes: cards, blocks, documents, HTML. */

/** Keys of texts, in the order people see them. What is not named here frames or colours. */
const texts = [
  ...['header', 'author', 'title', 'topLabel', 'name', 'label', 'description', 'text', 'value', 'inlines'],
  ...['content', 'body', 'items', 'blocks', 'embeds', 'elements', 'sections', 'widgets', 'columns', 'fields', 'facts'],
  ...['textParagraph', 'decoratedText', 'card', 'buttonList', 'buttons', 'actions', 'footer'],
];
/** Labels of what stands beside them. */
const labels = ['title', 'topLabel', 'name'];

/** The lines of a part of a message. */
export function readable(value: unknown): string {
  if (typeof value === 'string') return variantsOf(value) ?? plain(value);
  if (isLines(value)) return value.join('\n').trimEnd();
  if (Array.isArray(value)) return isInline(value) ? value.map(readable).join('') : joined(value.map(readable));
  if (typeof value !== 'object' || value === null) return '';
  const entries = new Map<string, unknown>(Object.entries(value));
  const label = labels.find((key) => typeof entries.get(key) === 'string');
  const beside = entries.get('value') ?? entries.get('text');
  if (label !== undefined && typeof beside === 'string') return `${entries.get(label)}: ${plain(beside)}`;
  return joined(texts.flatMap((key) => (entries.has(key) ? [readable(entries.get(key))] : [])));
}

const joined = (parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n');

/** Texts for several kinds of receivers in one, as SNS takes them. */
function variantsOf(text: string): string | undefined {
  if (!text.startsWith('{"default":')) return undefined;
  const variants: object = JSON.parse(text);
  return Object.entries(variants)
    .map(([name, each]) => `${name}:\n${each}`)
    .join('\n\n');
}

/** A text as golden files hold it, line by line. */
const isLines = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 1 && value.every((line) => typeof line === 'string');

/** Runs of one line: of an Adaptive Card, or of a paragraph in a document. */
function isInline(parts: readonly unknown[]): boolean {
  return parts.every((part) => /^(?:TextRun|text)$/.test(String(new Map(Object.entries(Object(part))).get('type'))));
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" };

/** Without tags and entities, where there are some. */
function plain(text: string): string {
  const markup = /<\/?(?:b|br|p|strong|pre|code|ul|li|a|font|i|em|flockml|span)\b[^>]*>|&(?:lt|gt|amp|quot|#39);/;
  if (!markup.test(text)) return text;
  return text
    .replace(/<br ?\/?>|<\/(?:p|li|ul|pre|div)>/g, '\n')
    .replace(/<pre[^>]*>/g, '\n')
    .replace(/<li>/g, '- ')
    .replace(/<\/?[a-z][^>]*>/g, '')
    .replace(/&(lt|gt|amp|quot|#39);/g, (_, name: string) => entities[name] ?? '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
