import type { SignCase } from './case.ts';
import { configurationCases } from './cases/configuration.ts';
import { credentialsCases } from './cases/credentials.ts';
import { databaseCases } from './cases/database.ts';
import { fileCases } from './cases/files.ts';
import { missingCases } from './cases/missing.ts';
import { nameCases } from './cases/names.ts';
import { networkCases } from './cases/network.ts';
import { reportedCases } from './cases/reported.ts';
import { runtimeCases } from './cases/runtime.ts';
import { serverCases } from './cases/servers.ts';
import { startCases } from './cases/starts.ts';
import { tlsCases } from './cases/tls.ts';

/** Every case, by family. */
export const signCases: readonly SignCase[] = [
  ...nameCases,
  ...networkCases,
  ...tlsCases,
  ...credentialsCases,
  ...fileCases,
  ...missingCases,
  ...configurationCases,
  ...databaseCases,
  ...runtimeCases,
  ...serverCases,
  ...startCases,
  ...reportedCases,
];
