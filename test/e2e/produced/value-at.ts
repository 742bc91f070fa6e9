import { isFields } from '../../../sandbox/object.ts';

/**
 * What stands at a path of an object: `status.phase`. In a list a step is the index, or the `type` or `name` of the item:
 * `status.conditions.Ready.status`, `status.containerStatuses.app.state.waiting.reason`.
 */
export function valueAt(object: unknown, path: string): unknown {
  let value = object;
  for (const step of path.split('.')) {
    if (Array.isArray(value))
      value = value.find(
        (item, i) => i === Number(step) || (isFields(item) && (item.type === step || item.name === step)),
      );
    else value = isFields(value) ? value[step] : undefined;
  }
  return value;
}
