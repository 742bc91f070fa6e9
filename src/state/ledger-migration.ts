import type { MigratedFile } from './migrated-file.ts';

/** Fields of a row as they were saved: what is missing or of another type is found when the file is checked. */
type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const without = (fields: Fields, ...names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

/** What waits to be sent, by its stream and the UID of its provider. */
function waitingOf(file: MigratedFile): ReadonlyMap<string, readonly Fields[]> {
  const waiting = new Map<string, Fields[]>();
  for (const { value } of file.rows('outbox')) {
    const delivery = fieldsOf(fieldsOf(value).delivery);
    const key = `${delivery.stream}|${delivery.providerUid}`;
    waiting.set(key, [...(waiting.get(key) ?? []), delivery]);
  }
  return waiting;
}

/** What was told last, to whomever; of what was there at the start what its summary said. */
function lastTold(incident: Fields): Fields | undefined {
  const told = Object.values(fieldsOf(incident.standings)).map((standing) => fieldsOf(standing).told);
  const last = [...told, incident.considered, incident.atStart].find((one) => typeof one === 'object' && one !== null);
  return last === undefined ? undefined : without(fieldsOf(last), 'reasons');
}

const opening: ReadonlySet<unknown> = new Set(['open', 'reopen', 'startup']);

/** What one provider has heard of an incident, as far as it was saved: that it was told, not whether it arrived. */
function hearingOf(incident: Fields, uid: unknown, waiting: readonly Fields[]): Fields {
  const told = lastTold(incident);
  const own = listOf(incident.listedIn).map(fieldsOf);
  const listed = own
    .filter(({ provider }) => provider === uid)
    .map((list) => ({
      ...without(list, 'provider'),
      severity: list.act === 'digest' ? 'low' : (told?.severity ?? 'critical'),
    }));
  const isTold = listOf(incident.toldTo).includes(uid);
  const isOver = listOf(incident.endToldTo).includes(uid);
  const sending = told ? waiting.map(({ act, sequence }) => ({ act, sequence, told })) : [];
  const ends = waiting.some(({ act }) => act === 'resolve');
  const begins = waiting.some(({ act }) => opening.has(act));
  const knows = !isTold || begins ? 'nothing' : isOver && !ends ? 'over' : 'open';
  return {
    knows,
    ...(told && knows !== 'nothing' && { told }),
    ...(sending.length > 0 && { sending }),
    ...(listed.length > 0 && { listed }),
  };
}

/**
 * From whom was told an incident, and what an audience was told last, to what each provider has heard of it. Deliveries do not name whom they
 * stand in for any more, nor streams where later acts go instead: a fallback is a reader of its own.
 */
export function toLedger(file: MigratedFile): void {
  const waiting = waitingOf(file);
  file.change('incidents', (value, id) => {
    const incident = fieldsOf(value);
    const uids = new Set([
      ...listOf(incident.toldTo),
      ...listOf(incident.listedIn).map((list) => fieldsOf(list).provider),
    ]);
    const hearings = [...uids].map((uid) => [uid, hearingOf(incident, uid, waiting.get(`${id}|${uid}`) ?? [])]);
    const standings = Object.entries(fieldsOf(incident.standings)).map(([audience, standing]) => [
      audience,
      without(fieldsOf(standing), 'told'),
    ]);
    return {
      ...without(incident, 'toldTo', 'endToldTo', 'endOwedTo', 'listedIn', 'considered', 'rootRevised'),
      standings: Object.fromEntries(standings),
      hearings: Object.fromEntries(hearings),
    };
  });
  file.change('outbox', (value) => {
    const stored = fieldsOf(value);
    const delivery = fieldsOf(stored.delivery);
    const again = delivery.again === undefined ? {} : { again: true };
    return { ...stored, delivery: { ...without(delivery, 'via', 'again'), ...again } };
  });
  file.change('streams', (value) => without(fieldsOf(value), 'diversions'));
}
