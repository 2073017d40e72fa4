import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { labelOf } from '../../suite/written.ts';

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** A suite of one's own that is named as what to run: its cases, beside the suites that ship. */
export function withSuiteFiles<Given extends { readonly what: readonly string[]; readonly suites: readonly string[] }>(
  given: Given,
): Given {
  const files = given.what.filter((one) => one.endsWith('.suite.yaml') && isFile(one));
  if (files.length === 0) return given;
  return {
    ...given,
    what: given.what.map((one) => (files.includes(one) ? labelOf(resolve(one)) : one)),
    suites: [...given.suites, ...files],
  };
}
