/** Mail: the same story for every real server. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eventually } from '../controlplane/environment.ts';
import { hostile } from '../providers/conformance/hostile.ts';
import { parseMail } from '../providers/conformance/mime.ts';
import { buildNetwork, reroute } from '../providers/conformance/wire.ts';
import type { MailServer, ReceivedMail } from './mail-server.ts';
import { assertBadCredential, assertGood, assertRefused, configure, notifications } from './story.ts';

const { open, update, resolve, reopen, digest, test: testMessage } = notifications;
const host = 'smtp.example.com';
const from = 'Tocsin <mox@localhost>';

// Certificates for `host` are trusted, and the two usual ports lead to the server.
buildNetwork();

/** The tests of one server. `host`: what its certificate is for. */
export function describeMail(name: string, start: (host: string) => Promise<MailServer>, relays: boolean): void {
  describe(`mail through ${name}`, () => {
    let server: MailServer;
    before(async () => {
      server = await start(host);
      reroute(587, server.ports.submission);
      reroute(465, server.ports.submissions);
    });
    after(() => server[Symbol.asyncDispose]());

    const mailTo = (to: string, port: string, password = server.login.password, name = host) =>
      configure('email', { host: name, port, from, to, username: server.login.username }, { password });
    /** The next mails by their dates: queues hand them to the mailbox a moment after they were taken in, in any order. */
    async function received(count: number) {
      const all: ReceivedMail[] = [];
      return eventually(`${count} mails`, async () => {
        all.push(...(await server.received()));
        return all.length >= count ? all.toSorted((a, b) => sentAt(a) - sentAt(b)) : undefined;
      });
    }

    for (const [port, way] of [
      ['587', 'STARTTLS'],
      ['465', 'TLS from the start'],
    ] as const)
      test(`the whole story is one thread, handed in with a login over ${way}`, async () => {
        await using email = mailTo('oncall@localhost', port);
        await email.tell(open, update, resolve, reopen);
        const mails = await received(4);
        const [first, ...later] = mails;
        assert.ok(first?.references[0]);
        assert.match(first.subject, /shop\/payments crashes: image 2\.3/);
        assert.match(first.text, /It began at 12:11 UTC[\s\S]*starting "payments" <2\.4>/);
        assert.match(first.html, /starting &quot;payments&quot; &lt;2\.4&gt;/);
        // One ancestor in common is what programs make threads of (RFC 5256, REFERENCES).
        for (const { references } of later) assert.equal(references[0], first.references[0]);
        assert.equal(new Set(mails.map(({ messageId }) => messageId)).size, 4);
        const headers = mails.map(({ raw }) => parseMail(raw).headers);
        assert.deepEqual(
          headers.map((each) => each['x-tocsin-act']),
          ['open', 'update', 'resolve', 'reopen'],
        );
        assert.ok(headers.every((each) => each['auto-submitted'] === 'auto-generated'));
      });

    test('plain messages and hostile texts arrive whole, without a header or a recipient more', async () => {
      await using email = mailTo('oncall@localhost, platform@localhost', '587');
      await email.tell(digest, testMessage, hostile());
      const mails = await received(6);
      const texts = mails.map(({ text }) => text).join('\n');
      assert.match(texts, /2 low-priority|shop\/a/);
      assert.match(texts, /<script>alert\(1\)<\/script>/);
      for (const { raw, to, html } of mails) {
        assert.ok(!('x-injected' in parseMail(raw).headers));
        assert.deepEqual(to, ['oncall@localhost', 'platform@localhost']);
        assert.doesNotMatch(html, /<script|<img/);
      }
    });

    test('tells a good login from a bad one, and nobody gets a mail', async () => {
      await using good = mailTo('oncall@localhost', '587');
      assertGood(await good.check());
      await using wrong = mailTo('oncall@localhost', '465', 'not-the-password');
      assertBadCredential(await wrong.check());
      assertRefused(await wrong.try(open));
      assert.deepEqual(await server.received(), []);
    });

    test('a refusal of the server ends the delivery, and its request to wait does not', async () => {
      await using refused = mailTo('rcpttopermerror@localhost', '587');
      assert.equal((await refused.try(open)).ended, 'failed');
      await using later = mailTo('rcpttotemperror@localhost', '587');
      assert.equal((await later.try(open)).ended, 'pending');
    });

    test('a certificate for another name is not accepted, and nothing is handed in', async () => {
      await using email = mailTo('oncall@localhost', '587', server.login.password, 'smtp.elsewhere.example');
      const report = await email.try(open);
      assert.notEqual(report.ended, 'delivered');
      assert.match(report.failure?.message ?? '', /certificate/i);
      assert.deepEqual(await server.received(), []);
    });

    if (relays)
      test('a relay without a login takes the mail as it is offered', async () => {
        const { relay } = server.ports;
        assert.ok(relay);
        await using email = configure(
          'email',
          { host, port: String(relay), tls: 'none', from, to: 'oncall@localhost' },
          {},
        );
        assertGood(await email.check());
        await email.tell(open);
        assert.match((await received(1))[0]?.subject ?? '', /CrashLoopBackOff/);
      });
  });
}

const sentAt = ({ raw }: ReceivedMail): number => Date.parse(parseMail(raw).headers.date ?? '');
