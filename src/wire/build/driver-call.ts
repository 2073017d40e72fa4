import { plainText } from '../../lib/json.ts';
import type { ExecDriver, HttpDriver } from '../../model/target.ts';
import type { Scope, Template } from '../../model/template.ts';
import type { Command } from '../send/run-program.ts';
import { type HttpRequest, json, mergeHeaders, valueIfThere } from './http-request.ts';

/** The request of an http driver; headers and body members whose value is not there are left out. Throws MissingValue for the URL. */
export function driverRequest(driver: HttpDriver, scope: Scope): HttpRequest {
  const url = plainText(driver.url.evaluate(encoding(scope)));
  const given = driver.headers?.filter(([, value]) => valueIfThere(value, scope) !== undefined);
  const headers = mergeHeaders(driver.json === undefined ? [] : [['content-type', json]], given, scope);
  if (driver.json === undefined) return { method: driver.method, url, headers };
  const members = driver.json.flatMap(([name, value]) => {
    const found = valueIfThere(value, scope);
    return found === undefined ? [] : [[name, found] as const];
  });
  return { method: driver.method, url, headers, body: JSON.stringify(Object.fromEntries(members)) };
}

/** Half a character, as a test may send it: no URL can have one. */
const loneSurrogates = /\p{Surrogate}/gu;

/** In a driver's URL every value is one segment, except the operator's own (`env`): a carrier must not steer the driver. */
function encoding(scope: Scope): Scope {
  return { ...scope, root: (name) => (name === 'env' ? scope.root(name) : encodeStrings(scope.root(name))) };
}

function encodeStrings(value: unknown): unknown {
  if (typeof value === 'string') return encodeURIComponent(value.replaceAll(loneSurrogates, '\u{FFFD}'));
  if (Array.isArray(value)) return value.map(encodeStrings);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, encodeStrings(member)]));
}

/** What a program needs to run at all; everything else of our environment may be a secret. */
const inherited = ['PATH', 'HOME', 'LANG', 'TZ'];

/** An argument that a program would read as one of its options: a carrier, or a test, would steer the driver. */
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
