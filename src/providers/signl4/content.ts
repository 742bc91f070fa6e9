import { webLinks, withoutLinks } from '../../message/render/kit/clip.ts';
import { identityOf } from '../../message/render/kit/details.ts';
import { fitted } from '../../message/render/kit/fitted.ts';
import { headline } from '../../message/render/kit/headline.ts';
import { plainBody } from '../../message/render/kit/plain-text.ts';
import type { Notification } from '../../model/notification.ts';

/** Characters; no published limits. Phones show the beginning. */
export const maxTitle = 100;
/** Characters; ours as well. */
export const maxMessage = 2_000;
const maxParameter = 512;

/** What an alert says. Every key is the label of a tile, so none is a text of the cluster, and few are enough. */
export function contentOf(
  notification: Notification,
  { title, user }: { readonly title?: string; readonly user?: string },
): object {
  const { severity, reason, root, namespace, cluster, labels } = identityOf(notification, {
    max: maxParameter,
    unit: 'characters',
  });
  const [link] = webLinks(notification.links, 1).filter(({ url }) => url.length <= maxParameter);
  const before = title === undefined ? '' : `${title}: `;
  return {
    Title: `${before}${headline(notification, maxTitle - [...before].length, 'characters')}`,
    Message: fitted(
      withoutLinks(notification, link ? [new URL(link.url).href] : []),
      { max: maxMessage, unit: 'characters' },
      plainBody,
    ),
    Severity: severity,
    Reason: reason,
    Object: root,
    Namespace: namespace,
    Cluster: cluster,
    Labels: labels,
    Link: link && new URL(link.url).href,
    User: user,
    'X-S4-Service': namespace,
  };
}
