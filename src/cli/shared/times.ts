/** Claims that are moments, in whole seconds since the epoch (RFC 7519 §2, OIDC Core §2). */
const moments: ReadonlySet<string> = new Set(['iat', 'exp', 'nbf', 'auth_time']);

/** Claims that are lengths of time, in seconds. */
const lengths: ReadonlySet<string> = new Set(['expires_in']);

/** Seconds as `1 h 2 min 3 s`, `300 s`. */
export function renderSeconds(seconds: number): string {
  const whole = Math.abs(Math.round(seconds));
  if (whole <= 600) return `${whole} s`;
  const [days, hours, minutes, rest] = [
    Math.floor(whole / 86_400),
    Math.floor(whole / 3600) % 24,
    Math.floor(whole / 60) % 60,
    whole % 60,
  ];
  const parts = [
    [days, 'd'],
    [hours, 'h'],
    [minutes, 'min'],
    [rest, 's'],
  ] as const;
  return parts.flatMap(([count, unit]) => (count === 0 ? [] : [`${count} ${unit}`])).join(' ');
}

/** The last moment a Date can hold, in seconds. */
const lastMoment = 8.64e12;

/**
 * What a time among the claims means, in words, or undefined where it is none.
 * `since`: seconds since the epoch, and what happened then: `it was sent`, `now`.
 */
export function timeInWords(
  name: string,
  value: unknown,
  since: { readonly at: number; readonly is: string },
): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value) || Math.abs(value) > lastMoment) return undefined;
  if (lengths.has(name) && value > 600) return renderSeconds(value);
  if (!moments.has(name)) return undefined;
  const moment = new Date(value * 1000).toISOString().replace('.000Z', 'Z');
  const distance = value - since.at;
  if (Math.abs(distance) < 0.5) return `${moment}, when ${since.is}`;
  return `${moment}, ${renderSeconds(distance)} ${distance < 0 ? 'before' : 'after'} ${since.is}`;
}
