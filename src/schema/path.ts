/** A field's path as the API server writes it: `spec.routes[0].selector`. Empty at the top. */
export function joinPath(path: string, step: string | number): string {
  if (typeof step === 'number') return `${path}[${step}]`;
  return path === '' ? step : `${path}.${step}`;
}
