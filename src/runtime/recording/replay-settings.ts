import { refOf } from '../../model/ref.ts';
import { defaultSettings, type ProviderSettings, type Settings } from '../../model/settings.ts';

const provider: ProviderSettings = {
  ref: refOf('AlertProvider', 'tocsin', 'oncall'),
  uid: 'oncall',
  namespace: 'tocsin',
  type: 'webhook',
  config: {},
  secrets: {},
  retry: {},
  suspended: false,
  active: { is: true, reason: 'Selected' },
  usable: true,
  generation: 1,
};

/**
 * The settings of a log of what happened in a cluster: the defaults, and one provider that takes everything. That a delivery
 * arrived, or what a log says, changes no decision, so nobody stands in for the products.
 */
export const replaySettings: Settings = {
  ...defaultSettings,
  app: { ...defaultSettings.app, clusterName: 'replay' },
  providers: [provider],
};
