import type { Json } from '../../json.ts';
import type { BodyContext } from '../../pipeline/context.ts';
import { reader } from '../../pipeline/step.ts';
import type { Edit } from './define.ts';
import { withPipeline } from './parts.ts';

/** Changes what is in `request` before it is read. */
export function rewritten(rewrite: (request: Json | undefined) => Json | undefined): Edit {
  return withPipeline(({ readObject }) => ({
    readObject: reader(readObject.name, (context: BodyContext) => {
      const request = rewrite(context.outside['request']);
      return readObject.read(request === undefined ? context : withRequest(context, request));
    }),
  }));
}

/** Reads the request object as if it had been tidied up; the signature is still over what was sent. */
export function tidied(tidy: (request: string) => string): Edit {
  return withPipeline(({ readObject }) => ({
    readObject: reader(readObject.name, (context: BodyContext) => {
      const sent = context.outside['request'];
      if (typeof sent !== 'string') return readObject.read(context);
      const object = readObject.read(withRequest(context, tidy(sent)));
      const signed = Buffer.from(sent.split('.').slice(0, 2).join('.'), 'utf8');
      return { ...object, jws: { ...object.jws, signed } };
    }),
  }));
}

function withRequest(context: BodyContext, request: Json): BodyContext {
  return { ...context, outside: { ...context.outside, request } };
}

/** Tidies each segment as it stands in base64url. */
export function bySegment(tidy: (segment: string) => string): (request: string) => string {
  return (request) => request.split('.').map(tidy).join('.');
}

/** Tidies the bytes of header and payload where they are plain base64url. */
export function byContent(tidy: (content: Buffer) => Uint8Array | string): (request: string) => string {
  return (request) => {
    const [header = '', payload = '', ...rest] = request.split('.');
    const again = (text: string): string => {
      const content = Buffer.from(text, 'base64url');
      return content.toString('base64url') === text ? Buffer.from(tidy(content)).toString('base64url') : text;
    };
    return [again(header), again(payload), ...rest].join('.');
  };
}

/** The text of a JSON object with the first member of each name only; any other text as it is. */
export function firstOfEach(text: string): string {
  return onceEach(text, (members, name, member) => {
    if (!members.has(name)) members.set(name, member);
  });
}

/** As firstOfEach, with the last member of each name. */
export function lastOfEach(text: string): string {
  return onceEach(text, (members, name, member) => members.set(name, member));
}

function onceEach(text: string, keep: (members: Map<string, string>, name: string, member: string) => void): string {
  const [, inside] = /^[ \t\r\n]*\{(.*)\}[ \t\r\n]*$/s.exec(text) ?? [];
  if (inside === undefined) return text;
  const kept = new Map<string, string>();
  for (const member of membersOf(inside)) {
    const name = nameOf(member);
    if (name === undefined) return text;
    keep(kept, name, member);
  }
  return `{${[...kept.values()].join(',')}}`;
}

/** The members as they are written, between the commas of the outermost level. */
function membersOf(inside: string): string[] {
  const members = [''];
  let depth = 0;
  for (const [token] of inside.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],]|[^"{}[\],]+/gs)) {
    if (token === '{' || token === '[') depth++;
    if (token === '}' || token === ']') depth--;
    if (token === ',' && depth === 0) members.push('');
    else members.push(`${members.pop() ?? ''}${token}`);
  }
  return members;
}

function nameOf(member: string): string | undefined {
  const [, quoted] = /^\s*("(?:[^"\\]|\\.)*")\s*:/s.exec(member) ?? [];
  try {
    return quoted === undefined ? undefined : String(JSON.parse(quoted));
  } catch {
    return undefined;
  }
}
