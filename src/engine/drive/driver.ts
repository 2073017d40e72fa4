import type { Json } from '../../model/json.ts';
import type { HttpDriver } from '../../model/target.ts';
import type { Scope, Template } from '../../model/template.ts';
import { valueIfThere } from '../../wire/http-request.ts';
import type { Redactor } from '../../wire/redact.ts';

/** What came of a driver. */
export interface Driven {
  /** False: it was not possible. */
  readonly done: boolean;
  readonly summary: string;
  /** When it was done, where that is not when it was asked for: milliseconds on the run's clock. */
  readonly at?: number;
  readonly body?: Json;
  readonly status?: number;
  /** Id of the exchange. */
  readonly message?: string;
}

/** Where a host is, and nothing else: whoever reads a result may see it, and needs to. */
function isOrigin(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { origin, href } = new URL(value);
  return href === `${origin}/`;
}

/** What templates take from the environment is the operator's secret: nothing of it is recorded. */
export function learnVariables(
  templates: readonly Template[],
  env: Readonly<Record<string, string | undefined>>,
  redactor: Redactor,
): void {
  for (const [root, name] of templates.flatMap(({ paths }) => paths)) {
    const value = root === 'env' && name !== undefined && Object.hasOwn(env, name) ? env[name] : undefined;
    if (value !== undefined && name !== undefined && !isOrigin(value)) redactor.learn(name, value);
  }
}

/** What is sent as the target file says: what its headers hold is the operator's secret, whatever they are made of. */
export function learnCall(
  {
    headers = [],
    others,
    env,
  }: { readonly headers: HttpDriver['headers'] | undefined; readonly others: readonly Template[] } & Pick<
    HttpDriver,
    'env'
  >,
  scope: Scope,
  redactor: Redactor,
): void {
  learnVariables([...others, ...headers.map(([, value]) => value)], env, redactor);
  for (const [name, template] of headers) {
    const value = valueIfThere(template, scope);
    if (typeof value === 'string') redactor.learn(name, value);
  }
}
