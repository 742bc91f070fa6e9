import { caseOf } from '../message/parts/case.ts';
import { cleanLine } from '../message/parts/clean.ts';
import { proofInWords } from '../message/parts/proof.ts';
import { titleRoom } from '../message/parts/room.ts';
import { type Account, type AccountContext, accountsOf } from '../message/sentences/account.ts';
import { titleOfPart } from '../message/sentences/title.ts';
import type { Acknowledged } from '../model/acknowledgement.ts';
import type { ClusterRow } from '../model/hub.ts';
import type { Incident } from '../model/incident.ts';
import { kindNameOf, nameOf, namespaceOf, type Ref } from '../model/ref.ts';
import { compareSeverity } from '../model/severity.ts';
import type { DeadLetter } from '../model/store.ts';
import { healthBody } from './health.ts';
import type { ProviderRow } from './provider-row.ts';
import type { HealthView, StatusView } from './views.ts';

/** Incidents and deliveries listed at most, worst and newest first; the totals count all. */
const listed = 500;
/** A sentence of somebody else's is cut here (UTF-16 units). */
const maxWords = 300;

const rfc3339 = (milliseconds: number): string => new Date(milliseconds).toISOString();
/** An object as the JSON of the pages names it. */
export const object = (ref: Ref): object => ({ kind: kindNameOf(ref), namespace: namespaceOf(ref), name: nameOf(ref) });
/** What objects and products say may hold anything. */
const words = (text: string): string => cleanLine(text, maxWords);

/** The JSON of `/status` (`docs/status.schema.json`). `now`: epoch milliseconds. */
export function statusBody(view: StatusView, health: HealthView, now: number): object {
  const open = view.incidents
    .filter(({ state }) => state === 'Open' || state === 'Recovering')
    .toSorted(
      (a, b) =>
        compareSeverity(a.explanation.severity, b.explanation.severity) ||
        a.startedAt - b.startedAt ||
        (a.id < b.id ? -1 : 1),
    );
  const byId = new Map(open.map((incident) => [incident.id, incident]));
  const context: AccountContext = { settings: view.settings, parent: (id) => byId.get(id), now };
  return {
    time: rfc3339(now),
    clusterName: view.clusterName,
    ...healthBody(health, now),
    incidents: { total: open.length, worst: open.slice(0, listed).map((one) => incidentRow(one, context)) },
    failedDeliveries: {
      total: view.deadLetters.length,
      newest: view.deadLetters.slice(-listed).toReversed().map(failedRow),
    },
    providers: view.providers.map(providerRow),
    ...(view.hub && { hub: view.hub }),
    ...(view.clusters && { clusters: view.clusters.map(clusterRow) }),
  };
}

/** A member of this hub. */
const clusterRow = ({ cluster, name, version, heardAt, open, worst }: ClusterRow): object => ({
  ...{ id: cluster, name: words(name), version: words(version), heardAt: rfc3339(heardAt), open },
  worst: worst.map(({ severity, reason, title, since }) => ({
    severity,
    reason,
    title: words(title),
    since: rfc3339(since),
  })),
});

/** One incident as JSON: how it stands, and for whom. */
export function incidentRow(incident: Incident, context: AccountContext): object {
  const { id, state, explanation, startedAt, openedAt, acknowledged } = incident;
  const { root, reason, severity, confidence, affected, affectedCount = affected.length, proof } = explanation;
  return {
    id,
    title: cleanLine(titleOfPart(explanation, caseOf(explanation, reason), titleRoom), titleRoom),
    severity,
    reason,
    root: object(root.ref),
    confidence,
    because: proof.map((one) => words(proofInWords(one, root.ref, context.now))),
    affected: affectedCount,
    state,
    since: rfc3339(startedAt),
    openedAt: openedAt === undefined ? null : rfc3339(openedAt),
    ...(acknowledged && { acknowledged: acknowledgedRow(acknowledged) }),
    dispositions: accountsOf(incident, context).map(dispositionRow),
  };
}

/** Who has taken it on. */
const acknowledgedRow = ({ by, via, at }: Acknowledged): object => ({
  by: words(by),
  via: via === undefined ? null : words(via),
  at: rfc3339(at),
});

function dispositionRow({ audience, standing, summary, says, endsAt, providers }: Account): object {
  return {
    ...{ audience, disposition: standing.disposition, by: standing.by ?? null, since: rfc3339(standing.at) },
    until: endsAt === undefined ? null : rfc3339(endsAt),
    ...{ summary: words(summary), says: words(says) },
    providers: providers.map(({ provider, told, says: heard }) => ({
      ...{ provider: object(provider), told, says: words(heard) },
    })),
  };
}

function failedRow({ delivery, endedAt, attempts, failure }: DeadLetter): object {
  const { provider, act, stream, createdAt } = delivery;
  return {
    provider: object(provider),
    act,
    about: stream,
    createdAt: rfc3339(createdAt),
    endedAt: rfc3339(endedAt),
    attempts,
    reason: words(failure.message),
  };
}

function providerRow(row: ProviderRow): object {
  const { ref, type, active, usable, delivered, failed, pending, failing, lastDelivery, lastFailure } = row;
  return {
    provider: object(ref),
    type,
    active: active.is,
    reason: active.reason,
    usable,
    delivered,
    failed,
    pending,
    failing,
    lastDelivery: lastDelivery ? rfc3339(lastDelivery.time) : null,
    lastFailure: lastFailure
      ? { time: rfc3339(lastFailure.time), reason: lastFailure.code, message: words(lastFailure.message) }
      : null,
  };
}
