import type { Certificate } from '../../model/certificate.ts';
import { describeRef, kindOf, type Ref } from '../../model/ref.ts';
import type { Severity } from '../../model/severity.ts';
import type { TlsSecretView } from '../../world/kinds/network/tls-secret.ts';
import { given } from '../../world/reading/fields.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { type Detector, detector, type Problem, type Thresholds } from '../kit/detector.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** How long a controller has to renew what it says it renews (ms): an ACME challenge takes minutes. */
const renewalMs = hour;
/** Who uses it may change without it: looked at this often while something is wrong (ms). */
const usesMs = 10 * minute;
/** Pods, and Services and callers of each, that are looked at for webhooks behind a Secret. */
const maxPods = 20;
const fanOut = 8;
/** Users that are named. */
const maxNamed = 3;

/** Who shows its certificate to others: Ingresses, Gateways, and who calls the Services of Pods that mount it; and how many Pods do. */
type Uses = { readonly served: readonly Ref[]; readonly pods: number };

const servers: ReadonlySet<string> = new Set(['Ingress', 'Gateway']);

function usesOf(secret: Ref, world: ObservedWorld): Uses {
  const served = new Set<Ref>();
  let pods = 0;
  for (const user of world.linked(secret, 'uses', 'in')) {
    if (servers.has(kindOf(user))) served.add(user);
    if (kindOf(user) !== 'Pod') continue;
    pods += 1;
    if (pods > maxPods) continue;
    for (const service of world.linked(user, 'selects', 'in', fanOut))
      if (kindOf(service) === 'Service')
        for (const caller of world.linked(service, 'calls', 'in', fanOut)) served.add(caller);
  }
  return { served: [...served].sort(), pods };
}

/** How near the end of a certificate is. */
type Nearness = 'ended' | 'day' | 'week' | 'soon';

/** What people wait for least first. */
const nearnesses: readonly Nearness[] = ['ended', 'day', 'week', 'soon'];

/**
 * How long before its end (ms) each begins. A certificate that lives for days is renewed hours before its end: it is late in the
 * last quarter of its life, not a week before.
 */
function aheadOf({ notBefore, notAfter }: Certificate, expiryDays: number): Readonly<Record<Nearness, number>> {
  const life = notAfter - notBefore;
  const soon = Math.min(expiryDays * day, life / 4);
  return { ended: 0, day: Math.min(day, life / 16), week: Math.min(7 * day, life / 8), soon };
}

/** How bad it is, by who uses it. */
const severities: Readonly<Record<'served' | 'mounted' | 'unused', Readonly<Record<Nearness, Severity>>>> = {
  served: { ended: 'critical', day: 'critical', week: 'high', soon: 'low' },
  mounted: { ended: 'medium', day: 'medium', week: 'low', soon: 'low' },
  unused: { ended: 'low', day: 'low', week: 'low', soon: 'low' },
};

function useOf({ served, pods }: Uses): keyof typeof severities {
  if (served.length > 0) return 'served';
  return pods > 0 ? 'mounted' : 'unused';
}

/** The certificate of the chain that ends first. A root that is sent along is nobody's concern: who connects has its own. */
function firstToEnd({
  certificates,
}: TlsSecretView): { readonly certificate: Certificate; readonly isLeaf: boolean } | undefined {
  let first: { certificate: Certificate; isLeaf: boolean } | undefined;
  for (const [index, certificate] of certificates.entries()) {
    if (index > 0 && certificate.isSelfIssued) continue;
    if (first === undefined || certificate.notAfter < first.certificate.notAfter)
      first = { certificate, isLeaf: index === 0 };
  }
  return first;
}

/** When the Certificate that renews a Secret does so next (epoch milliseconds); `undefined`: there is none, or it cannot be seen. */
function renewsAt({ renewedBy }: TlsSecretView, world: ObservedWorld): number | undefined {
  const certificate = renewedBy === undefined ? 'absent' : world.get(renewedBy);
  return typeof certificate === 'object' && certificate.kind === 'CustomResource' ? certificate.renewsAt : undefined;
}

const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Who uses it, in words. */
function usersOf({ served, pods }: Uses): string | undefined {
  if (served.length === 0) return pods === 0 ? undefined : `${pods} ${pods === 1 ? 'pod' : 'pods'}`;
  const named = served.slice(0, maxNamed).map(describeRef);
  const more = served.length - named.length;
  return more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ');
}

function factsOf({ subject, issuer }: Certificate, uses: Uses): Problem['facts'] {
  return { certificate: subject, issuer, ...given({ usedBy: usersOf(uses) }) };
}

const row = {
  judges: 'Secret',
  edition: 'Pro',
  settle: 'conclusive',
  symptom: 'certificate',
  reads: ['Ingress', 'Gateway', 'Pod', 'Service', 'CustomResource'],
  settings: ['certificateExpiryDays'],
} as const;

const source =
  'Secrets of type kubernetes.io/tls: every certificate of tls.crt (X.509 notBefore, notAfter); off unless the cluster allows it. Ingress spec.tls, Gateway certificateRefs, and the Pods, Services and webhooks behind it; status.renewalTime of the cert-manager Certificate';

const ending = detector({
  ...row,
  id: 'G12',
  reasons: [
    { reason: 'TLSCertExpired', family: 'config', sure: 'high' },
    { reason: 'TLSCertExpiringSoon', family: 'config', sure: 'high' },
  ],
  severity: 'low',
  source,
  predicate:
    'the certificate of a TLS Secret, or one of the chain in it, has expired or does within `detection.certificateExpiryDays` (of one that lives shorter: in the last quarter of its life). Where an Ingress, a Gateway or a webhook shows it: critical from a day before its end on, high from a week before, else low; medium from a day before where only Pods mount it; low where nobody is seen to use it',
  clears: 'another certificate is in the Secret, or the Secret is gone',
  patience: 'no wait: certificates say when they end; an hour after the time at which cert-manager is to renew it',
  isNot:
    'what cert-manager has yet to renew; a root at the end of a chain, which nobody needs; one that lives for hours or days and has a quarter of them left; a Secret of any other type, which is never read',
  judge: (secret, world, now, { certificateExpiryDays }: Thresholds) => {
    const first = firstToEnd(secret);
    if (!first) return false;
    const { certificate, isLeaf } = first;
    const { notAfter } = certificate;
    const ahead = aheadOf(certificate, certificateExpiryDays);
    // Of what has ended nobody is waited for.
    const renewal = now < notAfter ? renewsAt(secret, world) : undefined;
    const soonAt = Math.max(notAfter - ahead.soon, renewal === undefined ? 0 : renewal + renewalMs);
    const startsAt = Math.min(soonAt, notAfter);
    if (now < startsAt) return { lookAgainAt: renewal === undefined ? startsAt : Math.min(startsAt, now + hour) };
    const nearness = nearnesses.find((each) => now >= notAfter - ahead[each]) ?? 'soon';
    const next = nearnesses.map((each) => notAfter - ahead[each]).filter((at) => at > now);
    const uses = usesOf(secret.ref, world);
    const hasEnded = nearness === 'ended';
    return {
      reason: hasEnded ? 'TLSCertExpired' : 'TLSCertExpiringSoon',
      since: hasEnded ? notAfter : Math.max(startsAt, secret.createdAt),
      severity: severities[useOf(uses)][nearness],
      facts: { ...factsOf(certificate, uses), endsOn: dateOf(notAfter), part: isLeaf ? 'leaf' : 'intermediate' },
      ...given({ names: secret.renewedBy && [secret.renewedBy] }),
      lookAgainAt: next.reduce((least, at) => (at < least ? at : least), now + usesMs),
    };
  },
});

/** What makes a pair useless to whoever is to show it; `undefined`: nothing. */
function flawOf({ certificates, unreadable, isEmpty, isPair }: TlsSecretView, now: number): string | undefined {
  const [leaf] = certificates;
  if (isPair === false) return 'its private key belongs to another certificate';
  if (leaf && leaf.notBefore > now) return `it is not valid before ${dateOf(leaf.notBefore)}`;
  if (leaf) return unreadable > 0 ? 'a part of its chain cannot be read' : undefined;
  return isEmpty ? 'it is empty' : 'it holds no certificate that can be read';
}

const unusable = detector({
  ...row,
  id: 'G12',
  reasons: [{ reason: 'TLSCertUnusable', family: 'config', sure: 'high' }],
  severity: 'high',
  forSeconds: 60,
  source: `${source}; whether tls.key is the key of the first certificate, which is all that is ever known of it`,
  predicate:
    'an Ingress, a Gateway or a webhook uses a TLS Secret whose key does not match its certificate, which holds no certificate that can be read, or which is not valid yet, for 60 s (medium where only Pods mount it)',
  clears: 'the Secret holds a certificate that is valid, with its key',
  patience: '60 s: what makes the Secret may fill it, or replace it, a moment later',
  isNot: 'a Secret that nobody is seen to use, as one that is being prepared; a key that cannot be read',
  judge: (secret, world, now) => {
    const flaw = flawOf(secret, now);
    if (flaw === undefined) return false;
    const uses = usesOf(secret.ref, world);
    const use = useOf(uses);
    const lookAgainAt = now + usesMs;
    if (use === 'unused') return { lookAgainAt };
    const [leaf] = secret.certificates;
    return {
      since: 'observed',
      severity: use === 'served' ? 'high' : 'medium',
      facts: { flaw, ...(leaf ? factsOf(leaf, uses) : given({ usedBy: usersOf(uses) })) },
      ...given({ names: secret.renewedBy && [secret.renewedBy] }),
      lookAgainAt,
    };
  },
});

/** Certificates that Secrets hold. */
export const tlsSecretDetectors: readonly Detector[] = [ending, unusable];
