import type { RawObject } from '../../src/model/raw-object.ts';
import { metadata } from './objects.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What is special about a custom resource. */
export type CustomParts = {
  readonly namespace?: string;
  readonly createdAt?: number;
  readonly generation?: number;
  readonly deletionAt?: number;
  readonly spec?: Fields;
  readonly status?: Fields;
  readonly conditions?: readonly Fields[];
};

/** `kustomize.toolkit.fluxcd.io/v1 Kustomization`, and so on: a custom resource in `shop`, and what its controller says. */
export function custom(apiVersion: string, kind: string, name: string, parts: CustomParts = {}): RawObject {
  const { namespace = 'shop', spec = {}, status = {}, conditions = [], ...common } = parts;
  return { apiVersion, kind, metadata: metadata(name, namespace, common), spec, status: { ...status, conditions } };
}

/** A Kustomization of Flux. */
export const kustomization = (name: string, parts: CustomParts = {}): RawObject =>
  custom('kustomize.toolkit.fluxcd.io/v1', 'Kustomization', name, parts);

/** A GitRepository of Flux. */
export const gitRepository = (name: string, parts: CustomParts = {}): RawObject =>
  custom('source.toolkit.fluxcd.io/v1', 'GitRepository', name, parts);

/** An Application of Argo CD. */
export const application = (name: string, parts: CustomParts = {}): RawObject =>
  custom('argoproj.io/v1alpha1', 'Application', name, { namespace: 'argocd', ...parts });
