import type { SignCase } from './case.ts';
import { credentialsCases } from './cases/credentials.ts';
import { nameCases } from './cases/names.ts';
import { networkCases } from './cases/network.ts';

/** Every case, by family. */
export const signCases: readonly SignCase[] = [...nameCases, ...networkCases, ...credentialsCases];
