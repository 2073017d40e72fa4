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
