import { copyJson, followPath, isJsonObject, isList, type Json, renderPlain } from '../../lib/json.ts';
import type { ExecDriver, HttpDriver } from '../../model/target.ts';
import type { Scope, Template } from '../../model/suite.ts';
import type { ProgramCommand } from './run-program.ts';
import { type HttpRequest, jsonContentType, mergeHeaders, valueIfThere } from '../build/http-request.ts';

/** The driver's URL is invalid, or a value of the run would change where it leads. */
export class SteeredDriverError extends Error {
  constructor(what: string) {
    super(what);
    this.name = 'SteersDriver';
  }
}

/** Request of an http driver, without headers and members whose value is missing. Throws MissingValue for the URL, and SteeredDriverError. */
export function driverRequest(driver: HttpDriver, scope: Scope): HttpRequest {
  const url = driverUrl(driver, scope);
  const given = driver.headers?.filter(([, value]) => valueIfThere(value, scope) !== undefined);
  const headers = mergeHeaders(driver.json === undefined ? [] : [['content-type', jsonContentType]], given, scope);
  if (driver.json === undefined) return { method: driver.method, url, headers };
  const members = driver.json.flatMap(([name, value]) => {
    const found = valueIfThere(value, scope);
    return found === undefined ? [] : [[name, found] as const];
  });
  return { method: driver.method, url, headers, body: JSON.stringify(Object.fromEntries(members)) };
}

/** Half a character, as a test may send it: no URL can contain one. */
const loneSurrogates = /\p{Surrogate}/gu;
const encode = (text: string): string => encodeURIComponent(text.replaceAll(loneSurrogates, '\u{FFFD}'));

/** Roots that the target file defines itself; all others may come from a carrier. */
const trustedRoots: ReadonlySet<string> = new Set(['env', 'client', 'clients', 'subscriber', 'subscribers']);

/** In a driver's URL every value is one segment, except the operator's own (`env`): a carrier must not steer the driver. */
function urlScope({ url: { paths } }: HttpDriver, scope: Scope, ofOthers: (text: string) => string): Scope {
  const changed = new Map<string, Json>();
  for (const [name = '', ...path] of paths) {
    const value = copyJson(followPath(scope.root(name), path));
    if (value === undefined) continue;
    const change = trustedRoots.has(name) ? encode : ofOthers;
    changed.set(name, withMember(changed.get(name), path, changeStrings(value, change)));
  }
  return { ...scope, root: (name) => (name === 'env' ? scope.root(name) : changed.get(name)) };
}

/** Sets a value at a path; all members on the way that a URL does not name are dropped. */
function withMember(around: Json | undefined, [step, ...path]: readonly string[], value: Json): Json {
  if (step === undefined) return value;
  const members = isJsonObject(around) ? around : {};
  return { ...members, [step]: withMember(members[step], path, value) };
}

function changeStrings(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (isList(value)) return value.map((one) => changeStrings(one, change));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, changeStrings(member, change)]));
}

/** A segment that a URL parser removes, or that leads up (URL Standard, "single-dot" and "double-dot URL path segment"). */
const dotSegment = /^(?:\.|%2e){1,2}$/i;

/** Kinds of the segments of a URL, as it is written. */
function segmentKinds(url: string): string {
  const [path = ''] = url.replace(/^[^/?#]*\/\/[^/?#]*/, '').split(/[?#]/);
  return path
    .split(/[/\\]/)
    .map((segment) => (segment === '' ? 'none' : dotSegment.test(segment) ? 'dots' : 'some'))
    .join('/');
}

/** The URL with a placeholder for each value: its origin and segments are those that the operator meant. */
function intendedUrl(driver: HttpDriver, scope: Scope): string | undefined {
  const meant = valueIfThere(
    driver.url,
    urlScope(driver, scope, (text) => 'x'.repeat(Math.max(1, text.length))),
  );
  return meant === undefined ? undefined : renderPlain(meant);
}

function driverUrl(driver: HttpDriver, scope: Scope): string {
  const url = renderPlain(driver.url.evaluate(urlScope(driver, scope, encode)));
  const meant = intendedUrl(driver, scope);
  if (!URL.canParse(url) || meant === undefined || !URL.canParse(meant))
    throw new SteeredDriverError('its URL would be none');
  if (new URL(url).origin !== new URL(meant).origin) {
    throw new SteeredDriverError('a value of the run would be in the host of its URL');
  }
  if (segmentKinds(url) === segmentKinds(meant)) return url;
  throw new SteeredDriverError(
    'a value of the run would be an empty segment of its URL, or one of dots: it would lead to another path',
  );
}

/** Environment variables that a program needs to run; any other variable of ours may be a secret. */
const inheritedVariables = ['PATH', 'HOME', 'LANG', 'TZ'];

/** A program would read this argument as an option: a carrier, or a test, would steer the driver. */
export class OptionLikeArgument extends Error {
  constructor(place: number) {
    super(`argument ${place} would begin with a hyphen`);
    this.name = 'LooksLikeOption';
  }
}

const startsWithTemplate = ({ source }: Template): boolean => typeof source === 'string' && /^\s*\{\{/.test(source);
const isOperatorValue = ({ paths }: Template): boolean => paths.every(([root]) => root === 'env');

function evaluateArgument(template: Template, scope: Scope, place: number): string {
  const value = renderPlain(template.evaluate(scope));
  if (value.startsWith('-') && startsWithTemplate(template) && !isOperatorValue(template))
    throw new OptionLikeArgument(place);
  return value;
}

function programEnvironment({ env, variables }: ExecDriver, scope: Scope): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of inheritedVariables) {
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (value !== undefined) found[name] = value;
  }
  for (const [name, template] of variables) {
    const value = valueIfThere(template, scope);
    if (value !== undefined) found[name] = renderPlain(value);
  }
  return found;
}

/** Command line of an exec driver. Throws MissingValue for an argument, and OptionLikeArgument. */
export function driverCommand(driver: ExecDriver, scope: Scope): ProgramCommand {
  const [program, ...args] = driver.argv;
  return {
    argv: [renderPlain(program.evaluate(scope)), ...args.map((one, at) => evaluateArgument(one, scope, at + 1))],
    env: programEnvironment(driver, scope),
    folder: driver.folder,
    timeout: driver.timeout * 1000,
  };
}
