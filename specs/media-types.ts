// Equivalent spellings of application/json (RFC 9110 section 8.3.1).

export const MEDIA_TYPE_IN_CAPITALS = 'Application/JSON; Charset=UTF-8';
export const MEDIA_TYPE_WITH_CHARSET = 'application/json; charset=UTF-8';
export const MEDIA_TYPE_WITH_SPACE = 'application/json ;charset=utf-8';
