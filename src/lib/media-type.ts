/** The media type of a content-type value, without parameters, in lower case (RFC 9110 §8.3). */
export const mediaType = (contentType: string | undefined): string =>
  (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';

/** application/json, or a type that is written in JSON (RFC 6839 §3.1). */
export const isJsonType = (contentType: string | undefined): boolean =>
  /^application\/(?:[\w.-]+\+)?json$/.test(mediaType(contentType));
