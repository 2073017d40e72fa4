import { plainText } from '../../model/json.ts';
import type { ExecDriver } from '../../model/target.ts';
import type { Scope, Template } from '../../model/template.ts';
import type { Command } from '../send/run-program.ts';
import { valueIfThere } from './http-request.ts';

/** What a program needs to run at all; everything else of our environment may be a secret. */
const inherited = ['PATH', 'HOME', 'LANG', 'TZ'];

/** An argument that a program would take for one of its options: a carrier, or a test, would steer the driver. */
export class LooksLikeOption extends Error {
  constructor(place: number) {
    super(`argument ${place} would begin with a hyphen`);
    this.name = 'LooksLikeOption';
  }
}

const startsWithTemplate = ({ source }: Template): boolean => typeof source === 'string' && /^\s*\{\{/.test(source);
const isOwn = ({ paths }: Template): boolean => paths.every(([root]) => root === 'env');

function argument(template: Template, scope: Scope, place: number): string {
  const value = plainText(template.evaluate(scope));
  if (value.startsWith('-') && startsWithTemplate(template) && !isOwn(template)) throw new LooksLikeOption(place);
  return value;
}

function environment({ env, variables }: ExecDriver, scope: Scope): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of inherited) {
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (value !== undefined) found[name] = value;
  }
  for (const [name, template] of variables) {
    const value = valueIfThere(template, scope);
    if (value !== undefined) found[name] = plainText(value);
  }
  return found;
}

/** The program of an exec driver. Throws MissingValue for an argument, and LooksLikeOption. */
export function commandOf(driver: ExecDriver, scope: Scope): Command {
  const [program, ...args] = driver.argv;
  return {
    argv: [plainText(program.evaluate(scope)), ...args.map((one, at) => argument(one, scope, at + 1))],
    env: environment(driver, scope),
    folder: driver.folder,
    timeout: driver.timeout * 1000,
  };
}
