import type { Notification } from '../model/notification.ts';
import { describeRef, type Ref } from '../model/ref.ts';
import type { Settings } from '../model/settings.ts';
import { cleanNotification } from './parts/clean.ts';

/** The marked test message that a person asked for. `now`: epoch milliseconds. */
export function narrateTest(about: {
  readonly settings: Settings;
  readonly now: number;
  readonly provider: Ref;
}): Notification {
  return cleanNotification({
    act: 'test',
    severity: 'low',
    title: 'Tocsin test message',
    lead: `This is a test: ${describeRef(about.provider)} can deliver. Nothing is broken.`,
    evidence: [],
    facts: [],
    links: [],
    cluster: about.settings.app.clusterName,
    at: about.now,
  });
}
