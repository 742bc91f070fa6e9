import type { Fields } from './object.ts';
import type { Resource } from './resources.ts';

/** One field error of a 422, as in Status.details.causes. */
export type Cause = { reason: string; message: string; field: string };

/** An answer that is not 2xx; the router turns it into a Status body. Texts are the API server's own. */
export class ApiFailure extends Error {
  readonly code: number;
  readonly reason: string;
  readonly details: Fields | undefined;
  readonly metadata: Fields;
  constructor(code: number, reason: string, message: string, details?: Fields, metadata: Fields = {}) {
    super(message);
    this.name = 'ApiFailure';
    this.code = code;
    this.reason = reason;
    this.details = details;
    this.metadata = metadata;
  }
}

/** The metav1.Status of a failure. */
export function statusOf(failure: ApiFailure): Fields {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: failure.metadata,
    status: 'Failure',
    message: failure.message,
    reason: failure.reason,
    ...(failure.details ? { details: failure.details } : {}),
    code: failure.code,
  };
}

const named = (resource: Resource, name: string): Fields => ({
  name,
  ...(resource.group ? { group: resource.group } : {}),
  kind: resource.plural,
});
const qualified = (resource: Resource): string =>
  resource.group ? `${resource.plural}.${resource.group}` : resource.plural;

/** 404 of one object. */
export function notFound(resource: Resource, name: string): ApiFailure {
  return new ApiFailure(404, 'NotFound', `${qualified(resource)} "${name}" not found`, named(resource, name));
}

/** 403 of an admission plug-in. */
export function refused(resource: Resource, name: string, why: string): ApiFailure {
  const message = `${qualified(resource)} "${name}" is forbidden: ${why}`;
  return new ApiFailure(403, 'Forbidden', message, named(resource, name));
}

/** 409 of a create. */
export function alreadyExists(resource: Resource, name: string): ApiFailure {
  const message = `${qualified(resource)} "${name}" already exists`;
  return new ApiFailure(409, 'AlreadyExists', message, named(resource, name));
}

/** 409 of a write from an older version. */
export function conflict(
  resource: Resource,
  name: string,
  why = 'the object has been modified; please apply your changes to the latest version and try again',
): ApiFailure {
  const message = `Operation cannot be fulfilled on ${qualified(resource)} "${name}": ${why}`;
  return new ApiFailure(409, 'Conflict', message, named(resource, name));
}

/** 422 with one cause for each wrong field. */
export function invalid(resource: Resource, name: string, causes: readonly Cause[]): ApiFailure {
  const kind = resource.group ? `${resource.kind}.${resource.group}` : resource.kind;
  const texts = causes.map((cause) => (cause.field ? `${cause.field}: ${cause.message}` : cause.message));
  const text = texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`;
  const details = { name, ...(resource.group ? { group: resource.group } : {}), kind: resource.kind, causes };
  return new ApiFailure(422, 'Invalid', `${kind} "${name}" is invalid: ${text}`, details);
}

/** 400 with a text. */
export function badRequest(message: string): ApiFailure {
  return new ApiFailure(400, 'BadRequest', message);
}

/** 404 of a path nobody serves. */
export function noSuchPath(): ApiFailure {
  return new ApiFailure(404, 'NotFound', 'the server could not find the requested resource', {});
}

/** 410: the version asked for has been compacted away. */
export function expired(message: string, metadata?: Fields): ApiFailure {
  return new ApiFailure(410, 'Expired', message, undefined, metadata);
}

/** 504: a version this server has not reached yet; clients wait a second and try again. */
export function versionTooLarge(asked: number, current: number): ApiFailure {
  const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }];
  const message = `Timeout: Too large resource version: ${asked}, current: ${current}`;
  return new ApiFailure(504, 'Timeout', message, { causes, retryAfterSeconds: 1 });
}
