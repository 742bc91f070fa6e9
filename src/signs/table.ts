import { configurationRows } from './families/configuration.ts';
import { credentialsRows } from './families/credentials.ts';
import { dataRows } from './families/data.ts';
import { databaseRows } from './families/database.ts';
import { fileRows } from './families/files.ts';
import { grpcRows } from './families/grpc.ts';
import { keyRows } from './families/keys.ts';
import { limitRows } from './families/limits.ts';
import { missingRows } from './families/missing.ts';
import { nameRows } from './families/names.ts';
import { operatorRows } from './families/operators.ts';
import { optionRows } from './families/options.ts';
import { refusedRows } from './families/refused.ts';
import { runtimeRows } from './families/runtime.ts';
import { serverRows } from './families/servers.ts';
import { settingsFileRows, vagueSettingsRows } from './families/settings-files.ts';
import { timeoutRows } from './families/timeouts.ts';
import { tlsRows } from './families/tls.ts';
import { unreachableRows } from './families/unreachable.ts';
import { webApiRows } from './families/web-apis.ts';
import type { SignRow } from './row.ts';

/**
 * Every row. On one line the first that matches says what it is, so that what is more telling stands before what wraps it: who
 * was refused before that a connection failed, a missing module before a missing file, that before a file that cannot be used, anything before a bare exception.
 */
export const signRows: readonly SignRow[] = [
  ...serverRows,
  ...keyRows,
  ...credentialsRows,
  ...webApiRows,
  ...limitRows,
  ...dataRows,
  ...databaseRows,
  ...nameRows,
  ...tlsRows,
  ...configurationRows,
  ...refusedRows,
  ...timeoutRows,
  ...unreachableRows,
  ...grpcRows,
  ...operatorRows,
  ...fileRows,
  ...missingRows,
  ...settingsFileRows,
  ...optionRows,
  ...vagueSettingsRows,
  ...runtimeRows,
];
