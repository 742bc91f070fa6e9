/** Reads a mail as a person's program does: enough MIME for what a mailer writes (RFC 2045, 2047, 5322). */

/** A mail, decoded. Header names are in lower case. */
export type ParsedMail = {
  readonly headers: Readonly<Record<string, string>>;
  /** Header lines as they are on the wire, unfolded. */
  readonly lines: readonly string[];
  readonly text: string;
  readonly html: string;
};

/** Reads a mail. */
export function parseMail(raw: string): ParsedMail {
  const { headers, lines, body } = entity(raw);
  const boundary = /boundary="?([^";]+)"?/.exec(headers['content-type'] ?? '')?.[1] ?? '';
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => entity(part.replace(/^\r\n/, '').replace(/\r\n$/, '')));
  const content = (type: string): string => {
    const part = parts.find((each) => each.headers['content-type']?.startsWith(type));
    return part ? decode(part.body, part.headers['content-transfer-encoding'] ?? '') : '';
  };
  return { headers, lines, text: content('text/plain'), html: content('text/html') };
}

function entity(raw: string): Pick<ParsedMail, 'headers' | 'lines'> & { readonly body: string } {
  const end = raw.indexOf('\r\n\r\n');
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      words(line.slice(line.indexOf(':') + 1).trim()),
    ]),
  );
  return { headers, lines, body: raw.slice(end + 4) };
}

/** Encoded words, each of which holds whole characters; white space between two of them is none. */
function words(text: string): string {
  return text
    .replace(/(\?=)\s+(?==\?)/g, '$1')
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, how: string, inside: string) =>
      how.toLowerCase() === 'b'
        ? Buffer.from(inside, 'base64').toString('utf8')
        : Buffer.from(quoted(inside.replaceAll('_', ' ')), 'latin1').toString('utf8'),
    );
}

function decode(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8').replaceAll('\r\n', '\n');
  const bytes = encoding === 'quoted-printable' ? quoted(body.replace(/=\r\n/g, '')) : body;
  return Buffer.from(bytes, 'latin1').toString('utf8').replaceAll('\r\n', '\n');
}

const quoted = (text: string): string =>
  text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
