import type { KeptParsers } from '../engine/resume/read-kept.ts';
import { parseCase, parseHeader } from '../journal/schema.ts';

/** How the program holds a journal to the schema of results before a run goes on from it. */
export const keptParsers: KeptParsers = { header: parseHeader, case: parseCase };
