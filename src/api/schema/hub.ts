import { object, text } from '../../model/schema.ts';
import { settingRows } from '../../model/setting-rows.ts';
import { secretSource } from '../../schema/secret.ts';

/** `spec.hub` of the AlertConfig. */
export const hub = object(
  'One message for all clusters that an outage outside of them hits.',
  {
    ...settingRows.hub,
    url: text('Make this cluster a member of the hub at this address, such as https://tocsin.example.com:8443.', {
      max: 2048,
      pattern: '^https?://[^/?#\\s@]+(/[^?#\\s]*)?$',
    }),
    key: secretSource('Key that the hub and all of its members sign with: at least 32 characters.'),
  },
  [
    {
      rule: '!(has(self.url) && has(self.enabled) && self.enabled)',
      message: 'be the hub (`enabled`) or a member of one (`url`), not both',
    },
    {
      rule: '!has(self.key) || !has(self.key.value) || size(self.key.value) >= 32',
      message: '`key` is too short: take at least 32 characters (openssl rand -hex 32)',
    },
    {
      rule: 'has(self.key) || !(has(self.url) || (has(self.enabled) && self.enabled))',
      message: 'set `key`: the hub and its members sign with it',
    },
  ],
);
