import { type Fields, isFields } from '../object.ts';
import type { Pod } from '../shapes.ts';
import { type ContainerScript, type PodScript, scriptAnnotation } from './pod-script.ts';

/** The script in a Pod's annotation; `undefined` without one, or when it is not a JSON object. */
export function annotatedScript(pod: Pod): PodScript | undefined {
  const text = pod.metadata.annotations?.[scriptAnnotation];
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? (value satisfies Fields as PodScript) : undefined;
  } catch {
    return undefined;
  }
}

/** What one container does: its own row over what is said for the whole Pod. */
export function containerScript(script: PodScript, container: string): ContainerScript {
  const { containers = {}, ...all } = script;
  return { ...all, ...(Object.hasOwn(containers, container) ? containers[container] : {}) };
}
