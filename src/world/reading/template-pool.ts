import { isSame } from '../../model/same.ts';
import { createPool } from './intern.ts';
import type { PodTemplate } from './pod-template.ts';

/** Gives the copy that is kept of a template. */
export type TemplatePool = (template: PodTemplate) => PodTemplate;

const capacity = 20_000;

/**
 * One template for a Deployment and its newest ReplicaSet; with their Pods, to which admission adds volumes and a priority, they share the
 * containers, which are most of it.
 */
export function createTemplatePool(): TemplatePool {
  const byImages = createPool<PodTemplate>(capacity);
  return (template) => {
    const images = template.containers.map(({ image }) => image).join();
    const known = byImages(images, () => template);
    if (isSame(known, template)) return known;
    return isSame(known.containers, template.containers) ? { ...template, containers: known.containers } : template;
  };
}
