/** Texts of the core. */
export const texts = {
  ID_TC_RECONNECT_ERROR: 'Die Verbindung konnte nicht wiederhergestellt werden. Neuer Versuch folgt.',
  ID_TC_RELOADING: 'Die Seite wird in {seconds} s neu geladen',
  ID_TC_NETWORK_ISSUE: 'Es gibt ein Problem mit dem Netzwerk (Code {code}).',
  ID_TC_NETWORK_RETRY: 'Der Dienst wird weiterhin kontaktiert …',
  ID_ERROR_TITLE: 'Diese Seite kann nicht angezeigt werden',
  ID_ERROR_PAIRING: 'Der Dienst hat diesem Tab keinen isolierten Browser gegeben.',
  ID_ERROR_ADDRESS: 'Diese Adresse gehört nicht zum Web.',
  ID_ERROR_BLOCKED: 'Ihre Organisation erlaubt diese Seite nicht.',
  ID_ERROR_TAB_LIMIT: 'Zu viele isolierte Tabs sind offen. Schließen Sie einen und versuchen Sie es erneut.',
  ID_ERROR_VERSION: 'Diese Seite und der Dienst haben verschiedene Versionen. Versuchen Sie es gleich noch einmal.',
  ID_ERROR_CHANNEL: 'Die Verbindung zum isolierten Browser kam nicht zustande ({reason}).',
  ID_ERROR_SURROGATE: 'Der isolierte Browser wurde beendet ({reason}).',
  ID_ERROR_ENDED_TITLE: 'Die Sitzung ist beendet',
  ID_ERROR_ENDED: 'Der Dienst hat diese Sitzung geschlossen ({reason}).',
  ID_ERROR_START: 'Der isolierte Browser konnte hier nicht gestartet werden.',
  ID_RETRY: 'Erneut versuchen',
  ID_OVERLAY: 'Hinweise zur Isolation',
  ID_DETACHED: 'Die Verbindung ist verloren. Eine Taste oder ein Klick lädt die Seite neu.',
  ID_SURROGATE_RESTORED:
    'Der isolierte Browser wurde beendet. Die Seite wurde neu geladen; Eingaben in ihr sind verloren.',
  ID_FRAMING: 'Diese Seite darf nicht in einem Frame gezeigt werden.',
};
