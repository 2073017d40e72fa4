import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { BaseRequest, TemplateMap } from '../model/suite.ts';
import { labelOf } from './find-files.ts';
import { object, type ReadContext } from './grammar/grammar.ts';
import { values } from './grammar/shared.ts';
import { type FileToRead, type Reports, readChecked } from './read-checked.ts';
import type { Suites } from './suites.ts';
import { commonNames } from './template/names.ts';

/** `base-request.yaml` and `base-client-assertion.yaml`. */
export const baseRequestFile = object(
  {
    header: values('Members of the JWT header.', { minProperties: 1 }),
    claims: values('Claims.', { minProperties: 1 }),
  },
  {
    title: 'the base request',
    description: 'The request object that `authorize: {}` sends, in the order its members are sent.',
    required: ['header', 'claims'],
  },
);

/** `base-usertrait.yaml`. */
export const baseMembersFile = object(
  { members: values('Members of the JSON body.', { minProperties: 1 }) },
  { title: 'the base members', description: 'The body that `usertrait: {}` sends.', required: ['members'] },
);

/** The bases of the requests; a folder that lacks one of the further ones has no cases that need it. */
export function readBases(shipped: string, reports: Reports): Pick<Suites, 'base' | 'assertion' | 'usertrait'> {
  const fileOf = (name: string): FileToRead => {
    const path = join(shipped, name);
    return { path, label: labelOf(path) };
  };
  const assertion = fileOf('base-client-assertion.yaml');
  const usertrait = fileOf('base-usertrait.yaml');
  return {
    base: readBase(fileOf('base-request.yaml'), reports),
    ...(existsSync(assertion.path) ? { assertion: readBase(assertion, reports) } : {}),
    ...(existsSync(usertrait.path) ? { usertrait: readMembers(usertrait, reports) } : {}),
  };
}

const baseContext = ({ report }: Reports): ReadContext => ({
  names: commonNames,
  report,
  known: { checks: new Set(), tampers: new Set() },
});

function readMembers(file: FileToRead, reports: Reports): TemplateMap {
  const kind = { kind: 'base-members', shape: baseMembersFile, context: baseContext(reports) };
  return readChecked(file, kind, reports).read?.members ?? [];
}

function readBase(file: FileToRead, reports: Reports): BaseRequest {
  const kind = { kind: 'base-request', shape: baseRequestFile, context: baseContext(reports) };
  const { header = [], claims = [] } = readChecked(file, kind, reports).read ?? {};
  return { header, claims };
}
