import { misplacedConfig } from '../api/rules/place.ts';
import type { Silence } from '../api/silence.ts';
import type { Clock } from '../model/clock.ts';
import type { Ref } from '../model/ref.ts';
import { checkFallback } from './check.ts';
import type { Composed } from './compose.ts';
import { urgencyOf } from './conditions.ts';
import { configStatus, ignoredConfigStatus } from './config-status.ts';
import type { OwnObjects } from './objects.ts';
import type { ProviderChecks } from './provider-checks.ts';
import { providerStatus } from './provider-status.ts';
import { silenceStatus } from './silence-status.ts';
import type { DesiredStatus } from './status-writer.ts';
import type { TestRequests } from './test-requests.ts';
import type { StatusViews } from './views.ts';
import { windowStatus } from './window-status.ts';

/** The status of each of our objects, from everything that is known of it. */
export type Statuses = {
  /** How it should be now; `undefined` for an object that is gone or has not been judged yet. */
  desired(ref: Ref): DesiredStatus | undefined;
  /** How the API has it, to leave alone what is as it should be. */
  current(ref: Ref): DesiredStatus | undefined;
  forget(ref: Ref): void;
};

/** `composed`: the settings as they are now, and what is wrong with them. */
export function createStatuses(options: {
  readonly objects: OwnObjects;
  readonly checks: ProviderChecks;
  readonly tests: TestRequests;
  readonly views: StatusViews;
  readonly clock: Clock;
  readonly namespace: string;
  readonly composed: () => Composed;
}): Statuses {
  const { objects, checks, tests, views, clock, namespace } = options;
  /** What silences had muted when this process first saw them: counting goes on from there. */
  const mutedBefore = new Map<Ref, number>();

  function baseOf(ref: Ref, { status }: Silence): number {
    const base = mutedBefore.get(ref) ?? status?.suppressed ?? 0;
    mutedBefore.set(ref, base);
    return base;
  }

  function desired(ref: Ref): DesiredStatus | undefined {
    const now = clock.now();
    const { settings, problems } = options.composed();
    const provider = objects.AlertProvider.get(ref);
    const check = provider && checks.get(ref);
    if (provider && check)
      return providerStatus(provider, {
        check,
        fallback: checkFallback(provider, objects.AlertProvider),
        settings: settings.providers.find((each) => each.ref === ref),
        facts: views.provider(ref),
        test: tests.get(ref),
        now,
      });
    const silence = objects.Silence.get(ref);
    if (silence)
      return silenceStatus(silence, {
        settings: settings.silences.find((each) => each.ref === ref),
        muted: views.silence(ref),
        mutedBefore: baseOf(ref, silence),
        now,
      });
    const window = objects.MaintenanceWindow.get(ref);
    if (window) return windowStatus(window, now);
    const config = objects.AlertConfig.get(ref);
    if (!config) return undefined;
    const misplaced = misplacedConfig(config.metadata, namespace);
    if (misplaced) return ignoredConfigStatus(config, misplaced, now);
    return configStatus(config, { problems, providers: settings.providers, views, now });
  }

  return {
    desired,
    current(ref) {
      const provider = objects.AlertProvider.get(ref)?.status;
      if (provider) return { status: provider, urgent: urgencyOf(provider.conditions, provider.lastTest) };
      const silence = objects.Silence.get(ref)?.status;
      if (silence) return { status: silence, urgent: urgencyOf(silence.conditions, silence.suppressed) };
      const status = (objects.MaintenanceWindow.get(ref) ?? objects.AlertConfig.get(ref))?.status;
      return status && { status, urgent: urgencyOf(status.conditions) };
    },
    forget: (ref) => void mutedBefore.delete(ref),
  };
}
