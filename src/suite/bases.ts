import { join } from 'node:path';
import { isThere } from '../files/look.ts';
import type { Interface } from '../model/interface.ts';
import type { BaseRequest } from '../model/suite.ts';
import { pathLabel, type FileToRead, type ReadingServices, readChecked } from './suite-files.ts';
import { object, type ReadContext } from './grammar/grammar.ts';
import { values } from './grammar/common-shapes.ts';
import type { Suites } from './suites.ts';
import { commonNames } from './template/names.ts';

/** Base request with a header and claims to be signed. */
export const baseRequestFile = object(
  {
    header: values('Members of the JWT header.', { minProperties: 1 }),
    claims: values('Claims.', { minProperties: 1 }),
  },
  {
    title: 'the base request',
    description: 'The header and the claims of a request without differences, in the order its members are sent.',
    required: ['header', 'claims'],
  },
);

export const baseMembersFile = object(
  { members: values('Members of the JSON body.', { minProperties: 1 }) },
  { title: 'the base members', description: 'The body of a request without differences.', required: ['members'] },
);

const baseContext = ({ report }: ReadingServices): ReadContext => ({
  names: commonNames,
  report,
  known: { checks: new Set(), tampers: new Set() },
});

/** Reads the base requests. A folder may lack optional ones, because it has no cases that need them. */
export function readBases(
  shipped: string,
  baseFiles: Interface['baseFiles'],
  reports: ReadingServices,
): Suites['bases'] {
  const found: Record<string, BaseRequest> = {};
  for (const [name, { file, shape, required = false }] of Object.entries(baseFiles)) {
    const path = join(shipped, file);
    const read = shape === 'members' ? readBaseMembers : readSignedBase;
    if (required || isThere(path)) found[name] = read({ path, label: pathLabel(path) }, reports);
  }
  return found;
}

function readBaseMembers(file: FileToRead, reports: ReadingServices): BaseRequest {
  const kind = { kind: 'base-members', shape: baseMembersFile, context: baseContext(reports) };
  return { header: [], claims: readChecked(file, kind, reports).read?.members ?? [] };
}

function readSignedBase(file: FileToRead, reports: ReadingServices): BaseRequest {
  const kind = { kind: 'base-request', shape: baseRequestFile, context: baseContext(reports) };
  const { header = [], claims = [] } = readChecked(file, kind, reports).read ?? {};
  return { header, claims };
}
