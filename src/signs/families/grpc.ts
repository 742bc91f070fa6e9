import type { SignRow } from '../row.ts';

/** How calls by gRPC end, by the code alone: where the sentence tells why, a row before these has read it. */
export const grpcRows: readonly SignRow[] = [
  {
    kind: 'ConnectionTimedOut',
    needs: ['deadlineexceeded', 'deadline_exceeded'],
    pattern: /\bcode = DeadlineExceeded\b|\bDEADLINE_EXCEEDED\b/,
    source: 'gRPC status 4: grpc-go; C core and its wrappers, grpc-java',
  },
  {
    kind: 'ConnectionTimedOut',
    needs: ['context deadline exceeded'],
    pattern: /(?:[:"=,] ?|^)context deadline exceeded(?=$|["'),;\]}])/,
    source: 'Go context.DeadlineExceeded, where nobody says of what',
  },
  {
    kind: 'ServiceUnavailable',
    needs: ['code = unavailable', 'code = 14', 'statuscode.unavailable', 'exception: unavailable', 'code: unavailable'],
    pattern:
      /\bcode = (?:Unavailable|14)\b|\bStatusCode\.UNAVAILABLE\b|\bStatusRuntimeException: UNAVAILABLE\b|\bcode: UNAVAILABLE\b/,
    source: 'gRPC status 14',
  },
  {
    kind: 'AccessForbidden',
    needs: ['code = permissiondenied', 'statuscode.permission_denied'],
    pattern: /\bcode = PermissionDenied\b|\bStatusCode\.PERMISSION_DENIED\b/,
    source: 'gRPC status 7',
  },
  {
    kind: 'CredentialsRejected',
    needs: ['unauthenticated'],
    pattern:
      /\bcode = (?:Unauthenticated|16)\b|\bStatusCode\.UNAUTHENTICATED\b|\bStatusRuntimeException: UNAUTHENTICATED\b/,
    source: 'gRPC status 16',
  },
  {
    kind: 'RequestRefused',
    needs: ['unimplemented', 'larger than max'],
    pattern:
      /\bcode = (?:Unimplemented|12)\b|\bStatusCode\.UNIMPLEMENTED\b|\bStatusRuntimeException: UNIMPLEMENTED\b|\bmessage larger than max\b/,
    source: 'gRPC status 12; a message above the limit of the other side',
  },
];
