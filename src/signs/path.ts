/** What may follow the reason in front of the path: `, open '`, `: '`, ` @ rb_sysopen - `, `: "`. */
const after =
  /^(?: \(os error \d+\))?(?:[,:]? ?(?:@ \w{1,40} -|open|stat|lstat|mkdir|unlink|scandir|access|rename|copyfile|rmdir|chmod|chown|connect|spawn|symlink|write|watch|for)?:? ?)["'`‘]?(?<path>\/[^"'`’\s:,;)]{1,300}|(?<=["'`‘])[^"'`’\s:]{1,200}(?=["'`’]))/;
/** A path in the text before the reason; one in a URL, a date or a source address is not it. */
const before = /(?<![\w:./\\*-])\.{0,2}\/[\w.@%+~=,/*-]{1,300}(?<![.,])/g;
/** A name in quotes, or the word right before the reason: `cat: settings.json: No such file`, `"certs/tls.key" failed`. */
const nameBefore =
  /(?:["'`‘](?<quoted>[^"'`’\s]{1,200})["'`’](?: failed)?|(?: |^)(?<plain>[\w.-]{1,100}\.[a-z]{1,8}))[:,]? ?\(?(?:\d{1,3}: |\[Errno \d{1,3}\] |E[A-Z]{3,8}: )?$/;
/** Characters in front of the reason in which the path stands. */
const reach = 400;

/** The path that a sentence of the C library is about, beside the reason between `start` and `end`; nothing where it names none. */
export function pathBeside(text: string, start: number, end: number): string | undefined {
  const behind = after.exec(text.slice(end, end + reach))?.groups?.path;
  if (behind) return behind;
  const front = text.slice(Math.max(0, start - reach), start);
  const paths = front.match(before);
  const last = paths?.at(-1);
  if (last) return last;
  const groups = nameBefore.exec(front)?.groups;
  return groups?.quoted ?? groups?.plain;
}
