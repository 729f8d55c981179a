/** Texts about invalid certificates. */
export const texts = {
  'certificates.title': 'Die Verbindung zu {site} ist nicht vertraulich',
  'certificates.error': 'Fehler',
  'certificates.fault-expired': 'Das Zertifikat dieser Website ist abgelaufen.',
  'certificates.fault-not-yet': 'Das Zertifikat dieser Website ist noch nicht gültig.',
  'certificates.fault-name': 'Das Zertifikat gehört zu einer anderen Website.',
  'certificates.fault-authority':
    'Das Zertifikat dieser Website stammt nicht von einer Stelle, der hier vertraut wird.',
  'certificates.fault-revoked': 'Das Zertifikat dieser Website wurde widerrufen.',
  'certificates.fault-weak': 'Das Zertifikat dieser Website ist zu schwach geschützt.',
  'certificates.fault-other': 'Das Zertifikat dieser Website ist nicht gültig.',
  'certificates.danger': 'Jemand anderes kann sich als diese Website ausgeben und lesen, was Sie dort eingeben.',
  'certificates.forbidden-policy': 'Ihre Organisation lässt nicht zu, dass solche Websites geöffnet werden.',
  'certificates.forbidden-site': 'Diese Website verlangt ein gültiges Zertifikat: Sie kann nicht geöffnet werden.',
  'certificates.details': 'Zertifikat',
  'certificates.subject': 'Ausgestellt für',
  'certificates.issuer': 'Ausgestellt von',
  'certificates.from': 'Gültig ab',
  'certificates.to': 'Gültig bis',
  'certificates.fingerprint': 'SHA-256-Fingerabdruck',
  'certificates.proceed': 'Trotzdem fortfahren',
  'certificates.back': 'Zurück',
};
