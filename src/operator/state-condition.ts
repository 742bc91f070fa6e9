import { type Edition, features, includes } from '../model/edition.ts';
import type { StateView } from '../model/state-view.ts';
import type { Stated } from './conditions.ts';

type State = Extract<Stated<'AlertConfig'>, { type: 'StateSaved' }>;

const notSaved = (reason: Exclude<State['reason'], 'Saved'>, message: string): State => ({
  ...{ type: 'StateSaved', status: 'False', reason, message },
});

/** Whether what Tocsin knows outlives a restart, and why not: the condition `StateSaved` of AlertConfig. */
export function stateSaved(edition: Edition, { directory, problem, durability, aside }: StateView): State {
  if (!includes(edition, 'savedState')) return notSaved('NotLicensed', features.savedState.without);
  if (problem)
    return notSaved(
      'StorageFailing',
      `State cannot be saved at the moment; deliveries go on from memory: ${problem.message}.`,
    );
  if (durability.is === 'notDurable')
    return notSaved(
      'StateNotDurable',
      directory === undefined
        ? `State is held in memory: ${durability.why}.`
        : `State is saved in ${directory}, which does not outlive the Pod: ${durability.why}. Mount a claim there (config/pro).`,
    );
  const lost = aside === undefined ? '' : ` An older file could not be used and is kept there as ${aside}.`;
  const unsure = durability.is === 'unknown' ? ' Whether it outlives the Pod cannot be told here.' : '';
  const message = `State is saved in ${directory ?? 'the state directory'}.${unsure}${lost}`;
  return { type: 'StateSaved', status: 'True', reason: 'Saved', message };
}
